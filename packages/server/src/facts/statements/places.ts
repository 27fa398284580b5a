import { isPortrayalFlag, type PortrayalFlag } from "@sightline/contract";
import { drawPrefix } from "../../answers/labels/draw.ts";
import { constant, type Fragment, joined, type Statement, sql } from "../../platform/sql.ts";
import { anyEntityColumns, measureColumns } from "../columns.ts";
import type {
  AppearanceMeasure,
  DrawablePlan,
  DrawPlan,
  Listed,
  PageDays,
  PlacesPlan,
  ShownAs,
} from "../plan/places-plan.ts";
import type { PlanPart } from "../plan/plan.ts";
import { type CitedNumbers, type Dialect, eachPart, ofSource } from "./dialect.ts";

const dayCountShape = { day: "number", answers: "number" } as const;

/** How many answers of the list each day has, a row from each part. */
export function dayCountsStatement(
  plan: PlacesPlan,
  cites: CitedNumbers | null,
  dialect: Dialect,
): Statement<typeof dayCountShape> {
  const { counted, listed } = plan;
  const parts = counted.parts.map((part) => {
    const isCiting = citing(cites, dialect.from({ ...part, table: "citations" }, counted));
    return sql`select day, cast(sum(${counts(listed)}) as double)
      from ${dialect.from(part, counted)} and ${counting(listed)}${isCiting} group by day`;
  });
  return { query: joined(sql` union all `, parts), shape: dayCountShape };
}

/** The condition on what answers cite; nothing without one. */
function citing(cites: CitedNumbers | null, fromCitations: Fragment): Fragment {
  if (cites === null) return sql``;
  return sql` and sequence in (select sequence from ${fromCitations} and ${ofSource(cites)})`;
}

/** What rows of a table or of its rollup add to the number of answers; entity 0 counts them all. */
function counts(listed: Listed): Fragment {
  switch (listed.kind) {
    case "entity":
      return constant(
        isPortrayalFlag(listed.measure)
          ? `cast(${measureColumns[listed.measure]} as integer)`
          : summed(listed.measure, measureColumns),
      );
    case "any-entity": {
      const shows = summed(listed.measure, anyEntityColumns);
      return constant(listed.is ? shows : `cast(mentioned as integer) - ${shows}`);
    }
    case "without":
      return sql`if(entity = 0, cast(visible as integer), -cast(visible as integer))`;
  }
}

type ColumnOf = Readonly<Record<AppearanceMeasure, string>>;

/**
 * Where an entity is shown as: what adds to the number of answers and what is subtracted, also in
 * sums; and what an appearance is and is not. An entity is visible when it is mentioned or cited.
 */
const shownAs = {
  mentioned: { plus: ["mentioned"], minus: [], is: ["mentioned"], isNot: [] },
  cited: { plus: ["cited"], minus: [], is: ["cited"], isNot: [] },
  visible: { plus: ["visible"], minus: [], is: ["visible"], isNot: [] },
  both: { plus: ["mentioned", "cited"], minus: ["visible"], is: ["mentioned", "cited"], isNot: [] },
  mentionedOnly: { plus: ["visible"], minus: ["cited"], is: ["mentioned"], isNot: ["cited"] },
  citedOnly: { plus: ["visible"], minus: ["mentioned"], is: ["cited"], isNot: ["mentioned"] },
} as const satisfies Readonly<
  Record<ShownAs, Readonly<Record<"plus" | "minus" | "is" | "isNot", readonly AppearanceMeasure[]>>>
>;

function summed(measure: ShownAs, columns: ColumnOf): string {
  const { plus, minus } = shownAs[measure];
  // Small columns without signs would overflow.
  const added = plus.map((each) => `cast(${columns[each]} as integer)`).join(" + ");
  return [added, ...minus.map((each) => `cast(${columns[each]} as integer)`)].join(" - ");
}

function isShown(measure: ShownAs, columns: ColumnOf): string {
  const { is, isNot } = shownAs[measure];
  const conditions = [
    is.map((each) => `${columns[each]} = 1`),
    isNot.map((each) => `${columns[each]} = 0`),
  ];
  return conditions.flat().join(" and ");
}

function counting(listed: Listed): Fragment {
  switch (listed.kind) {
    case "entity":
      return sql`entity = ${entityValue(listed.entity)}`;
    case "any-entity":
      return sql`entity = 0`;
    case "without":
      return sql`entity in (0, ${entityValue(listed.entity)})`;
  }
}

const placeShape = { sequence: "number", answeredAtMs: "number" } as const;

/** Where a page's answers lie, and what they cite. */
export interface Within {
  readonly days: PageDays;
  readonly cites: CitedNumbers | null;
}

/** The answers of a page, in order. */
export function placesStatement(
  plan: PlacesPlan,
  within: Within,
  dialect: Dialect,
): Statement<typeof placeShape> {
  const parts = plan.rows.parts.map((part) => answersIn(part, { ...within, plan }, dialect));
  return {
    // By day first, which changes nothing: so ClickHouse reads rows in the order in which they lie.
    query: sql`select cast(sequence as double), cast(answered_at as double)
      from (${joined(sql` union all `, parts)}) ${afterPlace(plan)}
      order by day desc, answered_at desc, sequence desc
      limit ${{ type: "Int64", value: plan.limit }}`,
    shape: placeShape,
  };
}

/** Rows of (sequence, answered_at, day) of a part's answers, each answer once. */
function answersIn(
  part: PlanPart,
  { plan, days, cites }: Within & { readonly plan: PlacesPlan },
  dialect: Dialect,
): Fragment {
  const { rows, listed } = plan;
  const within = (table: PlanPart["table"]) => {
    return sql`${dialect.from({ ...part, table }, rows)}
      and day >= ${{ type: "Int32", value: days.first }}
      and day < ${{ type: "Int32", value: days.end }}`;
  };
  const from = sql`from ${within(part.table)}${citing(cites, within("citations"))}`;
  if (listed.kind !== "without") {
    return sql`select sequence, answered_at, day ${from} and ${deciding(listed)}`;
  }
  return sql`select sequence, answered_at, day ${from} and entity = 0 and sequence not in (
    select sequence ${from} and ${ofEntity(listed.entity, "visible")}
  )`;
}

/** The appearances that decide; entity 0 is the answer itself. */
function deciding(listed: Exclude<Listed, { readonly kind: "without" }>): Fragment {
  if (listed.kind === "entity") return ofEntity(listed.entity, listed.measure);
  const shown = isShown(listed.measure, anyEntityColumns);
  return constant(`entity = 0 and ${listed.is ? shown : `not (${shown})`}`);
}

function ofEntity(entity: number, measure: ShownAs | PortrayalFlag): Fragment {
  const condition = isPortrayalFlag(measure)
    ? `${measureColumns[measure]} = 1`
    : isShown(measure, measureColumns);
  return sql`entity = ${entityValue(entity)} and ${constant(condition)}`;
}

function entityValue(value: number) {
  return { type: "UInt16", value } as const;
}

function afterPlace({ after }: PlacesPlan): Fragment {
  if (after === null) return sql``;
  const instant = { type: "Int64", value: after.answeredAtMs } as const;
  return sql`where answered_at <= ${instant}
    and (answered_at < ${instant} or sequence < ${{ type: "Int64", value: after.sequence }})`;
}

const drawableShape = { prompt: "number", answers: "number" } as const;

/** How many answers to each prompt may be drawn, in one row or several. */
export function drawableStatement(
  { rows, entity }: DrawablePlan,
  dialect: Dialect,
): Statement<typeof drawableShape> {
  const query = eachPart(rows, dialect, (from) => {
    return sql`select prompt, cast(count(*) as double)
      from ${from} and ${ofReading(entity)} group by prompt`;
  });
  return { query, shape: drawableShape };
}

const drawnShape = { prompt: "number", round: "number", sequence: "number" } as const;

/** The answers that are drawn, in no order. A prompt's are in the order of their hashes. */
export function drawnStatement(
  { rows, entity, prompts, each, seed }: DrawPlan,
  dialect: Dialect,
): Statement<typeof drawnShape> {
  const isWanted = dialect.isAmong(sql`prompt`, { type: "Array(Int32)", value: prompts });
  const answers = eachPart(rows, dialect, (from) => {
    return sql`select prompt, sequence from ${from} and ${ofReading(entity)} and ${isWanted}`;
  });
  const hashed = dialect.hashOf({ type: "String", value: drawPrefix(seed) }, sql`sequence`);
  return {
    query: sql`select prompt, cast(place as double), cast(sequence as double)
      from (
        select prompt, sequence,
          row_number() over (partition by prompt order by ${hashed}, sequence) as place
        from (${answers}) as drawable
      ) as placed
      where place <= ${{ type: "Int64", value: each }}`,
    shape: drawnShape,
  };
}

/** The answer itself always counts as read. */
function ofReading(entity: number): Fragment {
  return sql`entity = ${entityValue(entity)} and ${constant(measureColumns.read)} = 1`;
}
