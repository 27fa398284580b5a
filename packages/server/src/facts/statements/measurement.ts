import { type Fragment, type Row, type RowShape, type Statement, sql } from "../../platform/sql.ts";
import type { MeasurementFacts, MeasurementPlan } from "../plan/measurement-plan.ts";
import type { RowSelection } from "../plan/plan.ts";
import { type Dialect, eachPart } from "./dialect.ts";

/** An engine that is asked, and how. */
export interface Reader {
  readonly dialect: Dialect;
  readonly query: <Shape extends RowShape>(
    statement: Statement<Shape>,
  ) => Promise<readonly Row<Shape>[]>;
}

/** What the facts say of how something was measured: some small statements, one after another. */
export async function readMeasurement(
  { query, dialect }: Reader,
  plan: MeasurementPlan,
): Promise<MeasurementFacts> {
  const origins = await query(originsStatement(plan, dialect));
  const models = await query(modelsStatement(plan, dialect));
  const prompts = await query(promptsStatement(plan, dialect));
  const [days] = await query(daysStatement(plan, dialect));
  const unanswered = await query(outcomesStatement(plan, dialect));
  const known = await query(knownStatement(dialect));
  const pairs = await query(dialect.retests(plan));
  return {
    origins,
    models,
    prompts,
    days: days?.days ?? 0,
    unanswered,
    knowsUnanswered: known.length > 0,
    pairs,
  };
}

const originsShape = {
  provider: "number",
  region: "number",
  surface: "number",
  answers: "number",
} as const;

function originsStatement(plan: MeasurementPlan, dialect: Dialect): Statement<typeof originsShape> {
  return {
    query: sql`select provider, region, surface, cast(count(*) as double)
      from (${answersOf(plan.rows, sql`provider, region, surface`, dialect)}) as answers
      group by provider, region, surface`,
    shape: originsShape,
  };
}

const modelsShape = {
  provider: "number",
  model: "number",
  answers: "number",
  sequence: "number",
  models: "number",
  known: "number",
} as const;

/** The models with the most answers, and the sums of all. */
function modelsStatement(
  { rows, modelsMax }: MeasurementPlan,
  dialect: Dialect,
): Statement<typeof modelsShape> {
  return {
    query: sql`select provider, model, given, newest, cast(count(*) over () as double),
        cast(sum(given) over () as double)
      from (
        select provider, model, cast(count(*) as double) as given,
          cast(max(sequence) as double) as newest
        from (${answersOf(rows, sql`provider, model, sequence`, dialect)}) as answers
        where model <> 0 group by provider, model
      ) as counted
      order by given desc, provider, model limit ${{ type: "Int64", value: modelsMax }}`,
    shape: modelsShape,
  };
}

const promptsShape = { answers: "number", prompts: "number" } as const;

function promptsStatement({ rows }: MeasurementPlan, dialect: Dialect) {
  return {
    query: sql`select given, cast(count(*) as double) from (
        select cast(count(*) as double) as given
        from (${answersOf(rows, sql`prompt`, dialect)}) as answers group by prompt
      ) as counted group by given`,
    shape: promptsShape,
  } satisfies Statement<typeof promptsShape>;
}

const daysShape = { days: "number" } as const;

function daysStatement({ rows }: MeasurementPlan, dialect: Dialect): Statement<typeof daysShape> {
  return {
    query: sql`select cast(count(distinct day) as double)
      from (${answersOf(rows, sql`day`, dialect)}) as answers`,
    shape: daysShape,
  };
}

const outcomesShape = { outcome: "number", answers: "number" } as const;

function outcomesStatement({ unanswered }: MeasurementPlan, dialect: Dialect) {
  const asked = eachPart(unanswered, dialect, (from) => sql`select outcome from ${from}`);
  return {
    query: sql`select outcome, cast(count(*) as double) from (${asked}) as asked group by outcome`,
    shape: outcomesShape,
  } satisfies Statement<typeof outcomesShape>;
}

const knownShape = { outcome: "number" } as const;

function knownStatement({ fromUnanswered }: Dialect): Statement<typeof knownShape> {
  return { query: sql`select outcome from ${fromUnanswered} limit 1`, shape: knownShape };
}

/** Some columns of each answer. */
function answersOf(rows: RowSelection, columns: Fragment, dialect: Dialect): Fragment {
  return eachPart(rows, dialect, (from) => sql`select ${columns} from ${from} and entity = 0`);
}
