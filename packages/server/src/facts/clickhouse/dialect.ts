import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import {
  constant,
  type Fragment,
  type NumberColumns,
  type Statement,
  sql,
} from "../../platform/sql.ts";
import { bucketColumns, measureColumns } from "../columns.ts";
import type { SourceGapsPlan } from "../plan/gap-plans.ts";
import type { StabilityPlan } from "../plan/insight-plans.ts";
import type { MeasurementPlan } from "../plan/measurement-plan.ts";
import type { SourcesPlan, TimeSeriesPlan } from "../plan/plan.ts";
import type { CitedSource } from "../plan/question.ts";
import {
  alikePairsShape,
  type CitedNumbers,
  type Dialect,
  eachPart,
  groupColumn,
  pageShape,
  retestPairsShape,
  sourceColumns,
  spreadShape,
} from "../statements/dialect.ts";
import { type FactsReader, gapsOf } from "../statements/facts-questions.ts";
import {
  answerCount,
  gapColumnNames,
  gapColumns,
  gapSums,
  gapsShape,
  rankOf,
} from "../statements/gaps.ts";
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
    domainNames: namesOf("domain", visible),
    urlNames: namesOf("url", visible),
    previousOf: (column, { partition, order, unless }) =>
      sql`lagInFrame(toInt64(${column}), 1, toInt64(${constant(String(unless))})) over (
        partition by ${partition} order by ${order}
        rows between unbounded preceding and current row
      )`,
    nextOf: (column, { partition, order, unless }) =>
      sql`leadInFrame(toInt64(${column}), 1, toInt64(${constant(String(unless))})) over (
        partition by ${partition} order by ${order}
        rows between current row and unbounded following
      )`,
    matches: (text, pattern) => sql`match(${text}, ${pattern})`,
    groupedWithPrompt: (column) => column,
    isEntityAmong: (entities) => sql`has(${{ type: "Array(UInt16)", value: entities }}, entity)`,
    isAmong: (column, sources) => sql`${column} in ${sources}`,
    placeAmong,
    numberAt,
    hashOf: (text, number) => sql`SHA256(concat(${text}, toString(${number})))`,
    distinctOf: (column) => sql`groupUniqArray(${column})`,
    eachOf: (list) => sql`arrayJoin(${list})`,
    spread: (plan) => spreadStatement(plan, from),
    stability: (plan) => stabilityStatement(plan, from),
    retests: (plan) => retestsStatement(plan, from),
    sources: (plan) => sourcesStatement(plan, visible),
  };
}

type From = Dialect["from"];

const placeAmong: Dialect["placeAmong"] = (sources, column) =>
  sql`toInt64(indexOf(${sources}, ${column}))`;

const numberAt: Dialect["numberAt"] = (list, place) => sql`arrayElement(${list}, ${place})`;

/** Rows of (number, name): the names of a generation. */
function namesOf(kind: "domain" | "url", { accountId, generation }: GenerationState): Fragment {
  return sql`select number, any(name) as name from ${constant(`${kind}_names`)}
    where account_id = ${{ type: "UUID", value: accountId }}
      and generation = ${{ type: "UInt32", value: generation }}
    group by number`;
}

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
        ${groupColumn(plan.groupBy, { placeAmong, numberAt })} as answers_of
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
          partition by prompt, provider, region, answers_of order by answered_at, sequence
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

/** Rows of (number, citations), each source of the plan once. */
function cited({ rows, groupBy }: SourcesPlan, visible: VisibleRows): Fragment {
  const number = sourceColumns[groupBy];
  const own: Dialect["from"] = (part, selected) => fromVisible(part, selected, visible);
  const parts = eachPart(rows, { from: own }, (of, { table }) => {
    const count = table === "citations" ? sql`count()` : sql`sum(citations)`;
    return sql`select ${number} as number, ${count} as cited from ${of} group by ${number}`;
  });
  if (rows.parts.length === 1) return parts;
  return sql`select number, sum(cited) as cited from (${parts}) group by number`;
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
        select (any(total), any(everything), groupArray((number, cited)))
        from (
          select number, cited, count() over () as total, sum(cited) over () as everything
          from (${cited(plan, visible)})
          order by cited desc limit ${{ type: "UInt64", value: last }} with ties
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

/**
 * The same of sources with their gaps. The first row has what all come to, and its source is null.
 *
 * TRICKY: see sourcesStatement.
 */
function gapsStatement(
  plan: SourceGapsPlan,
  { dialect, visible }: { readonly dialect: Dialect; readonly visible: VisibleRows },
): Statement<typeof gapsShape> {
  const { groupBy, limit, offset, listed } = plan;
  const last = Math.min(offset + limit, Number.MAX_SAFE_INTEGER);
  const account = { type: "UUID", value: visible.accountId } as const;
  const generation = { type: "UInt32", value: visible.generation } as const;
  const sums = gapSums(plan, listed && citedNumbers(listed), dialect);
  const nothing = gapColumnNames.map((name) => `cast(null as Nullable(Float64)) as ${name}`);
  const values = gapColumnNames.map((_, place) => `each.${place + 3}`);
  return {
    query: sql`with (
        select (any(total), any(all_citations), any(all_citing), any(all_gaps),
          groupArrayIf((number, ranked_by, ${gapColumns}), listed = 1))
        from (
          select number, listed, total, all_citations, all_citing, all_gaps,
            ${rankOf(plan)} as ranked_by, ${gapColumns}
          from (
            select number, listed, ${gapColumns}, countIf(listed = 1) over () as total,
              sum(citations) over () as all_citations, sum(answers) over () as all_citing,
              sum(with_competitor_only) over () as all_gaps
            from (${sums})
          )
          order by listed desc, ranked_by desc limit ${{ type: "UInt64", value: last }} with ties
        )
      ) as first, ${answerCount(plan, dialect)} as all_answers
      select first.1, first.2, all_answers, first.3, first.4, name, ${gapColumns}
      from (
        select cast(null as Nullable(String)) as name, cast(null as Nullable(Float64)) as ranked_by,
          ${constant(nothing.join(", "))}
        union all
        select name, each.2, ${constant(values.join(", "))}
        from (select arrayJoin(first.5) as each, each.1 as number) as ranked
        inner join (
          select number, any(name) as name from ${constant(`${groupBy}_names`)}
          where account_id = ${account}
            and generation = ${generation}
            and number in (select arrayJoin(first.5).1)
          group by number
        ) as named using (number)
        order by each.2 desc, each.3 desc, name
        limit ${{ type: "UInt64", value: limit }} offset ${{ type: "UInt64", value: offset }}
      )
      order by ranked_by desc nulls first, citations desc, name`,
    shape: gapsShape,
  };
}

function columnsOf<Name extends string>(
  shape: Readonly<Record<Name, "number">>,
  rows: readonly Readonly<Record<string, number>>[],
): NumberColumns<Name> {
  const columns = Object.keys(shape).map((name) => {
    return [name, Float64Array.from(rows, (row) => row[name] ?? Number.NaN)];
  });
  return Object.fromEntries(columns);
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
    columns: async (statement) => columnsOf(statement.shape, await reader.query(statement)),
    citedNumbers: async (source) => citedNumbers(source),
    gapsPage: async (plan) => {
      const { dialect, query } = reader;
      const found = gapsOf(await query(gapsStatement(plan, { dialect, visible: state })));
      const value = found.page.map(({ source }) => textNumber(source));
      return { ...found, numbers: { type: "Array(UInt64)", value } };
    },
  };
}
