import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { type Bound, constant, type Fragment, type Statement, sql } from "../../platform/sql.ts";
import { bucketColumns, groupColumn, measureColumns } from "../columns.ts";
import type { SourceGapsPlan, StabilityPlan } from "../plan/insight-plans.ts";
import type { MeasurementPlan } from "../plan/measurement-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "../plan/plan.ts";
import type { CitedSource } from "../plan/question.ts";
import { gapsOf } from "../statements/counts.ts";
import {
  alikePairsShape,
  type CitedNumbers,
  type Dialect,
  eachPart,
  ofSource,
  pageShape,
  retestPairsShape,
  sourceColumns,
  spreadShape,
} from "../statements/dialect.ts";
import { type FactsReader, type GapsPage, sourcesOf } from "../statements/facts-questions.ts";
import { textNumber } from "./facts-tables.ts";
import type { GenerationState } from "./generation-rows.ts";
import { from as fromVisible, rollupRows, type VisibleRows, visibleRows } from "./visible-rows.ts";

/** How ClickHouse is asked for the rows of a generation that count. */
function clickhouseDialect(visible: GenerationState): Dialect {
  const from: From = (part, rows) => fromVisible(part, rows, visible);
  const instant = (value: number | null) =>
    sql`cast(${{ type: "Int64", value: value ?? 0 }} as double)`;
  return {
    from,
    fromDaily: sql`daily where ${rollupRows(visible)}`,
    fromUnanswered: sql`unanswered where ${visibleRows(visible)}`,
    instants: sql`select ${instant(visible.firstMs)} as first, ${instant(visible.lastMs)} as last`,
    domainNames: sql`select number, any(name) as name from domain_names
      where account_id = ${{ type: "UUID", value: visible.accountId }}
        and generation = ${{ type: "UInt32", value: visible.generation }}
      group by number`,
    groupedWithPrompt: (column) => column,
    isEntityAmong: (entities) => sql`has(${{ type: "Array(UInt16)", value: entities }}, entity)`,
    isAmong: (column, sources) => sql`${column} in ${sources}`,
    placeAmong: (sources, column) => sql`toInt64(indexOf(${sources}, ${column}))`,
    spread: (plan) => spreadStatement(plan, from),
    stability: (plan) => stabilityStatement(plan, from),
    retests: (plan) => retestsStatement(plan, from),
    sources: (plan) => sourcesStatement(plan, visible),
  };
}

type From = Dialect["from"];

/**
 * Sums by bucket and entity, in no order, with those of squares and products over prompts.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named, so that the
 * answers of a prompt, which entity 0 counts, come beside its entities from one grouping.
 */
function spreadStatement(plan: TimeSeriesPlan, from: From): Statement<typeof spreadShape> {
  const { rows, measures, interval } = plan;
  const [numerator, denominator] = measures;
  const sum = (measure: typeof numerator) =>
    measure === undefined ? sql`toUInt64(0)` : sql`sum(${constant(measureColumns[measure])})`;
  const byPrompt = eachPart(rows, { from }, (of) => {
    return sql`select ${constant(bucketColumns[interval])} as bucket, prompt, entity,
        ${sum(numerator)} as a, ${sum(denominator)} as b
      from ${of} group by bucket, prompt, entity`;
  });
  if (denominator !== undefined) {
    return {
      query: sql`select bucket, entity, countIf(b > 0), sum(a), sum(b), sum(a * a), sum(b * b),
          sum(a * b)
        from (${byPrompt}) group by bucket, entity`,
      shape: spreadShape,
    };
  }
  return {
    query: sql`select bucket, each.1, count(), sum(each.2), 0, sum(each.2 * each.2),
        sum(answers * answers), sum(each.2 * answers)
      from (
        select bucket, prompt, sumIf(a, entity = 0) as answers,
          groupArray((entity, a)) as entities
        from (${byPrompt}) group by bucket, prompt
      ) array join entities as each
      group by bucket, each.1`,
    shape: spreadShape,
  };
}

function stabilityStatement(plan: StabilityPlan, from: From): Statement<typeof alikePairsShape> {
  const answers = eachPart(plan.answers, { from }, (of) => {
    return sql`select sequence, answered_at, prompt, provider, region,
        ${constant(groupColumn(plan.groupBy))} as answers_of
      from ${of} and entity = 0`;
  });
  const cited = eachPart(plan.rows, { from }, (of) => {
    return sql`select sequence, groupUniqArray(domain_number) as domains
      from ${of} group by sequence`;
  });
  return {
    query: sql`select answers_of, length(arrayIntersect(domains, previous)) as both_cite,
        length(domains) + length(previous) - both_cite as either_cites, count()
      from (
        select answers_of, domains, lagInFrame(domains) over consecutive as previous,
          row_number() over consecutive as place
        from (${answers}) as answers left join (${cited}) as cited using (sequence)
        window consecutive as (
          partition by prompt, provider, region order by answered_at, sequence
          rows between unbounded preceding and current row
        )
      )
      where place > 1 and length(domains) + length(previous) > 0
      group by answers_of, both_cite, either_cites`,
    shape: alikePairsShape,
  };
}

function retestsStatement(
  { rows }: MeasurementPlan,
  from: From,
): Statement<typeof retestPairsShape> {
  const answers = eachPart(rows, { from }, (of) => {
    return sql`select sequence, any(answered_at) as instant, any(day) as of_day,
        any(prompt) as of_prompt, any(provider) as of_provider, any(region) as of_region,
        groupArrayIf(entity, entity > 0 and mentioned = 1) as mentions
      from ${of} group by sequence`;
  });
  return {
    query: sql`select days_apart, has(mentions, 1) <> has(previous, 1) as brand,
        length(arrayIntersect(mentions, previous)) as both_mention,
        length(mentions) + length(previous) - both_mention as either_mentions, count()
      from (
        select mentions, lagInFrame(mentions) over consecutive as previous,
          of_day - lagInFrame(of_day) over consecutive as days_apart,
          row_number() over consecutive as place
        from (${answers})
        window consecutive as (
          partition by of_prompt, of_provider, of_region order by instant, sequence
          rows between unbounded preceding and current row
        )
      )
      where place > 1
      group by days_apart, brand, both_mention, either_mentions`,
    shape: retestPairsShape,
  };
}

/** The numbers of a source. */
function citedNumbers({ domain, url }: CitedSource): CitedNumbers {
  const number = (name: string | null) =>
    name === null ? null : ({ type: "UInt64", value: String(textNumber(name)) } as const);
  return { domain: number(domain), url: number(url) };
}

/** Rows of (number, citations, listed), each source of the plan once. */
function cited({ rows, groupBy, listed }: SourcesPlan, visible: VisibleRows): Fragment {
  const number = sourceColumns[groupBy];
  const isListed = listed === null ? sql`true` : sql`max(${ofSource(citedNumbers(listed))})`;
  const own: Dialect["from"] = (part, selected) => fromVisible(part, selected, visible);
  const parts = eachPart(rows, { from: own }, (of, { table }) => {
    const count = table === "citations" ? sql`count()` : sql`sum(citations)`;
    return sql`select ${number} as number, ${count} as cited, ${isListed} as listed
      from ${of} group by ${number}`;
  });
  if (rows.parts.length === 1) return parts;
  return sql`select number, sum(cited) as cited, max(listed) as listed
    from (${parts}) group by number`;
}

/**
 * A row with the sums over all sources and without a source, then the sources of a page, in order.
 *
 * TRICKY: ClickHouse computes a common table expression again wherever it is named; a scalar
 * subquery is computed once. So the sources that can be on the page or before it, those with equal
 * counts among them, are one value; their names are looked up by their numbers.
 */
function sourcesStatement(plan: SourcesPlan, visible: VisibleRows): Statement<typeof pageShape> {
  const { groupBy, limit, offset } = plan;
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  const account = { type: "UUID", value: visible.accountId } as const;
  const generation = { type: "UInt32", value: visible.generation } as const;
  return {
    query: sql`with (
        select (any(total), any(everything), groupArrayIf((number, cited), listed))
        from (
          select number, cited, listed, countIf(listed) over () as total,
            sum(cited) over () as everything
          from (${cited(plan, visible)})
          order by listed desc, cited desc limit ${{ type: "UInt64", value: last }} with ties
        )
      ) as first
      select total, everything, source, citations from (
        select first.1 as total, first.2 as everything,
          cast(null as Nullable(String)) as source, cast(null as Nullable(UInt64)) as citations
        union all
        select first.1, first.2, name, cited from (
          select name, cited
          from (
            select each.1 as number, each.2 as cited from (select arrayJoin(first.3) as each)
          ) as counted
          inner join (
            select number, any(name) as name from ${constant(`${groupBy}_names`)}
            where account_id = ${account}
              and generation = ${generation}
              and number in (select arrayJoin(first.3).1)
            group by number
          ) as named using (number)
          order by cited desc, name
          limit ${{ type: "UInt64", value: limit }} offset ${{ type: "UInt64", value: offset }}
        )
      )
      order by citations desc nulls first, source`,
    shape: pageShape,
  };
}

const gapsShape = {
  place: "number",
  answers: "number",
  withBrand: "number",
  withBrandOnly: "number",
  withCompetitorOnly: "number",
} as const;

/** The answers that cite each of some sources, by the sources' places in the list, from 1. */
function gapsStatement(
  plan: SourceGapsPlan,
  sources: Bound,
  dialect: Dialect,
): Statement<typeof gapsShape> {
  const isListed = dialect.isAmong(sourceColumns[plan.groupBy], sources);
  return {
    query: sql`select ${dialect.placeAmong(sources, sql`number`)}, answers, with_brand,
        with_brand_only, with_competitor_only
      from (${gapsOf(plan, isListed, dialect)})`,
    shape: gapsShape,
  };
}

/** Reads the same rows of a generation until the signal aborts. */
export function readerOf(
  clickhouse: Clickhouse,
  state: GenerationState,
  signal: AbortSignal,
): FactsReader {
  const reader = {
    dialect: clickhouseDialect(state),
    query: (statement) => clickhouse.query(statement, signal),
  } satisfies Pick<FactsReader, "dialect" | "query">;
  return {
    ...reader,
    citedNumbers: async (source) => citedNumbers(source),
    gapsPage: (plan) => gapsPage(reader, plan),
  };
}

const noGap = { answers: 0, withBrand: 0, withBrandOnly: 0, withCompetitorOnly: 0 };

async function gapsPage(
  { query, dialect }: Pick<FactsReader, "dialect" | "query">,
  plan: SourceGapsPlan,
): Promise<GapsPage> {
  const { page: sources, ...sums } = sourcesOf(await query(dialect.sources(plan)));
  const value = sources.map(({ source }) => textNumber(source));
  const numbers = { type: "Array(UInt64)", value } as const;
  const rows = await query(gapsStatement(plan, numbers, dialect));
  const gaps = new Map(rows.map(({ place, ...gap }) => [place - 1, gap]));
  const page = sources.map((source, place) => ({ ...source, ...(gaps.get(place) ?? noGap) }));
  return { ...sums, page, numbers };
}
