import type { Grouping, Interval, MetricName } from "@sightline/contract";
import type { Catalogue } from "../generator/catalogue.ts";
import type { Filter, Question, SeriesQuestion, SourcesQuestion } from "../questions.ts";
import type { PeerStatement } from "./peer.ts";

/** The tables that such products have, with the ids that they have. */
export const postgresTables: readonly string[] = [
  `create table prompts (
     id uuid primary key, account_id uuid not null, topic_id uuid not null,
     branded boolean not null)`,
  `create table answers (
     id uuid not null, account_id uuid not null, prompt_id uuid not null,
     provider text not null, region text, answered_at timestamptz(3) not null)`,
  `create table mention_entries (
     answer_id uuid not null, entity_id uuid not null, mentioned boolean not null,
     cited boolean not null, rank smallint)`,
  `create table citations (
     answer_id uuid not null, account_id uuid not null, answered_at timestamptz(3) not null,
     domain text not null, url text not null)`,
];

/** The only account of a cluster. */
export const postgresAccountId = "7d444840-9dc0-41d1-b245-5ffdce74fad2";

/** Made once the rows are there, and then the planner's statistics. */
export const postgresIndexes: readonly string[] = [
  "alter table answers add primary key (id)",
  "create index on answers (account_id, answered_at)",
  "create index on answers (prompt_id, answered_at)",
  "create index on mention_entries (answer_id)",
  "create index on citations (answer_id)",
  "create index on citations (account_id, answered_at, domain)",
  "vacuum analyze",
];

const units: Readonly<Record<Interval, string>> = {
  daily: "day",
  weekly: "week",
  monthly: "month",
};

const sums: Readonly<Record<MetricName, string>> = {
  mentions: "count(*) filter (where m.mentioned)",
  "overall-visibility": "count(*)",
  citations: "count(*) filter (where m.cited)",
  rank: "sum(m.rank)",
};

/** The statement of a question: the columns of toEngineRows, but the entity's id, null for 0. */
export function postgresStatement(question: Question, catalogue: Catalogue): PeerStatement {
  const selection = new Selection(question, catalogue);
  return question.kind === "series"
    ? seriesStatement(question, selection)
    : sourcesStatement(question, selection);
}

function seriesStatement(question: SeriesQuestion, selection: Selection): PeerStatement {
  const bucket = `date_trunc('${units[question.interval]}', a.answered_at)`;
  const seconds = `extract(epoch from ${bucket})::float8`;
  const where = selection.where("a");
  const sql = `
    select ${seconds}, null::uuid, count(*)::float8, 0::float8
    from answers a ${selection.joins}
    where ${where}
    group by ${bucket}
    union all
    select ${seconds}, m.entity_id, ${sums[question.metric]}::float8,
      (count(*) filter (where m.mentioned))::float8
    from answers a ${selection.joins}
    join mention_entries m on m.answer_id = a.id
    where ${where}
    group by ${bucket}, m.entity_id`;
  return { sql, values: selection.values };
}

const sourceColumns: Readonly<Record<Grouping, string>> = { domain: "c.domain", url: "c.url" };

function sourcesStatement(question: SourcesQuestion, selection: Selection): PeerStatement {
  const source = sourceColumns[question.groupBy];
  // Citations carry account and time, so that only a filter has to look at their answers.
  const from = selection.isFiltered
    ? `answers a ${selection.joins} join citations c on c.answer_id = a.id`
    : "citations c";
  const where = selection.where(selection.isFiltered ? "a" : "c");
  const limit = selection.bind(question.limit);
  const offset = selection.bind(question.offset);
  const sql = `
    select ${source}, count(*)::float8 as citations, (count(*) over ())::float8,
      (sum(count(*)) over ())::float8
    from ${from}
    where ${where}
    group by ${source}
    order by citations desc, ${source}
    limit ${limit} offset ${offset}`;
  return { sql, values: selection.values };
}

/** The conditions of a question, over answers or what carries their account and time. */
class Selection {
  readonly values: unknown[] = [];
  readonly isFiltered: boolean;
  readonly joins: string;
  readonly #range: readonly string[];
  readonly #conditions: readonly string[];

  constructor({ fromMs, toMs, filter }: Question, catalogue: Catalogue) {
    this.#range = [
      `account_id = ${this.bind(postgresAccountId)}::uuid`,
      `answered_at >= ${this.bind(new Date(fromMs).toISOString())}::timestamptz`,
      `answered_at < ${this.bind(new Date(toMs).toISOString())}::timestamptz`,
    ];
    this.#conditions = this.#filterConditions(filter, catalogue);
    this.isFiltered = this.#conditions.length > 0;
    const ofPrompt = filter.topics !== undefined || filter.branded !== undefined;
    this.joins = ofPrompt ? "join prompts p on p.id = a.prompt_id" : "";
  }

  bind(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  where(alias: string): string {
    const range = this.#range.map((condition) => `${alias}.${condition}`);
    return [...range, ...this.#conditions].join(" and ");
  }

  #filterConditions(
    { providers, regions, topics, prompts, branded }: Filter,
    catalogue: Catalogue,
  ): readonly string[] {
    const promptIds = prompts?.map((number) => catalogue.prompts[number]?.id);
    const topicIds = topics?.map((number) => catalogue.topics[number]);
    const anyOf = (column: string, type: string, values: readonly unknown[] | undefined) =>
      values === undefined ? [] : [`${column} = any(${this.bind(values)}::${type}[])`];
    return [
      ...anyOf("a.provider", "text", providers),
      ...anyOf("a.region", "text", regions),
      ...anyOf("a.prompt_id", "uuid", promptIds),
      ...anyOf("p.topic_id", "uuid", topicIds),
      ...(branded === undefined ? [] : [`p.branded = ${this.bind(branded)}::boolean`]),
    ];
  }
}
