import type { Interval, MetricName } from "@sightline/contract";
import type { Filter, Question, SeriesQuestion, SourcesQuestion } from "../questions.ts";

/** What every row says of its answer: ClickHouse does best without joins. */
const answerColumns = `
  account UInt32, answered_at DateTime64(3, 'UTC'), prompt UInt32, topic UInt16,
  provider LowCardinality(String), region LowCardinality(String), branded Bool`;
const order = "engine MergeTree order by (account, answered_at)";

/** Raw rows, by account and time; answers have tables of their own for the rates' denominators. */
export const clickHouseTables: readonly string[] = [
  `create table answers (${answerColumns}) ${order}`,
  `create table mention_entries (${answerColumns},
     entity UInt16, mentioned Bool, cited Bool, rank UInt16) ${order}`,
  `create table citations (${answerColumns},
     domain LowCardinality(String), url String) ${order}`,
];

/** Puts each table into one sorted part. */
export const clickHouseMerges: readonly string[] = [
  "optimize table answers final",
  "optimize table mention_entries final",
  "optimize table citations final",
];

const buckets: Readonly<Record<Interval, string>> = {
  daily: "toDate(answered_at)",
  weekly: "toMonday(answered_at)",
  monthly: "toStartOfMonth(answered_at)",
};

const sums: Readonly<Record<MetricName, string>> = {
  mentions: "countIf(mentioned)",
  "overall-visibility": "count()",
  citations: "countIf(cited)",
  rank: "sum(rank)",
};

/** The statement of a question: the columns of toEngineRows. */
export function clickHouseStatement(question: Question): string {
  return question.kind === "series" ? seriesStatement(question) : sourcesStatement(question);
}

function seriesStatement(question: SeriesQuestion): string {
  const where = whereOf(question);
  const seconds = "toUnixTimestamp(toDateTime(bucket, 'UTC'))";
  const bucket = buckets[question.interval];
  return `
    select ${seconds}, 0, toFloat64(count()), 0.
    from answers where ${where} group by ${bucket} as bucket
    union all
    select ${seconds}, entity + 1, toFloat64(${sums[question.metric]}),
      toFloat64(countIf(mentioned))
    from mention_entries where ${where} group by ${bucket} as bucket, entity`;
}

function sourcesStatement(question: SourcesQuestion): string {
  const { groupBy, limit, offset } = question;
  return `
    select ${groupBy}, toFloat64(count() as citations), toFloat64(count() over ()),
      toFloat64(sum(count()) over ())
    from citations where ${whereOf(question)} group by ${groupBy}
    order by citations desc, ${groupBy}
    limit ${limit} offset ${offset}`;
}

function whereOf({ fromMs, toMs, filter }: Question): string {
  return [
    "account = 1",
    `answered_at >= ${instant(fromMs)}`,
    `answered_at < ${instant(toMs)}`,
    ...filterConditions(filter),
  ].join(" and ");
}

function filterConditions({ providers, regions, topics, prompts, branded }: Filter) {
  const anyOf = (column: string, values: readonly (string | number)[] | undefined) =>
    values === undefined ? [] : [`${column} in (${values.map(literal).join(", ")})`];
  return [
    ...anyOf("provider", providers),
    ...anyOf("region", regions),
    ...anyOf("prompt", prompts),
    ...anyOf("topic", topics),
    ...(branded === undefined ? [] : [`branded = ${branded}`]),
  ];
}

/** Only the workload's own names come here: there is nothing to escape. */
function literal(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value}'`;
}

function instant(ms: number): string {
  return `toDateTime64('${clickHouseInstant(ms)}', 3, 'UTC')`;
}

/** An instant in UTC, as text that ClickHouse reads. */
export function clickHouseInstant(ms: number): string {
  return new Date(ms).toISOString().slice(0, -1).replace("T", " ");
}
