import {
  BIGINT,
  BOOLEAN,
  type DuckDBType,
  INTEGER,
  SMALLINT,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";

/** A column: its name, and its type both for SQL and for appending. */
export type Column = readonly [name: string, type: DuckDBType];

/** What every row says of its answer; in the order of fact-rows' AnswerColumns. */
const answerColumns: readonly Column[] = [
  ["answered_at", BIGINT],
  ["day", INTEGER],
  ["month", INTEGER],
  ["prompt", INTEGER],
  ["topic", INTEGER],
  ["provider", UTINYINT],
  ["region", SMALLINT],
  ["branded", BOOLEAN],
];

/** One row an answer (entity 0) and one for each entity that is visible in it. */
export const appearanceColumns: readonly Column[] = [
  ...answerColumns,
  ["entity", USMALLINT],
  ["mentioned", UTINYINT],
  ["cited", UTINYINT],
  ["visible", UTINYINT],
  ["rank", USMALLINT],
];

/** What a batch's citations are staged as, before their texts get numbers. */
export const stagedColumns: readonly Column[] = [
  ...answerColumns,
  ["url", VARCHAR],
  ["domain", VARCHAR],
];

const citationColumns: readonly Column[] = [
  ...answerColumns,
  ["url_number", INTEGER],
  ["domain_number", INTEGER],
];

/** Prompts whose answers were read and left out. */
export const passedOverColumns: readonly Column[] = [["prompt_id", VARCHAR]];

function table(name: string, columns: readonly Column[]): string {
  const list = columns.map(([column, type]) => `${column} ${type.toString()} not null`).join(", ");
  return `create table ${name} (${list})`;
}

/**
 * The tables of an account's facts. Append-only: no UPDATE, no DELETE, no index, since the engine's
 * replay of its log after those has open faults.
 */
export const layout: readonly string[] = [
  // The snapshot in force is the last one; a new one only adds prompts and topics.
  "create table snapshots (number INTEGER not null, document VARCHAR not null)",
  // The watermark is the largest: all answers up to it are in the facts.
  "create table marks (sequence BIGINT not null)",
  table("passed_over", passedOverColumns),
  table("appearances", appearanceColumns),
  table("citations", citationColumns),
  "create table domains (number INTEGER not null, name VARCHAR not null)",
  `create table urls (
     number INTEGER not null, name VARCHAR not null, domain_number INTEGER not null)`,
];

/** A batch's citations wait here; temporary tables are not in the file or its log. */
export const stagingLayout = table("staged", stagedColumns).replace("create", "create temporary");

const answerList = answerColumns.map(([name]) => name).join(", ");

const stagedList = answerColumns.map(([name]) => `staged.${name}`).join(", ");

/** Gives numbers to the batch's new domains and URLs and adds its citations, in this order. */
export const stagingSteps: readonly string[] = [
  `insert into domains (number, name)
   select (select coalesce(max(number), 0) from domains) + row_number() over (order by domain),
     domain
   from (select distinct domain from staged) anti join domains on domains.name = domain`,
  `insert into urls (number, name, domain_number)
   select (select coalesce(max(number), 0) from urls) + row_number() over (order by url),
     url, domains.number
   from (select distinct url, domain from staged) as fresh
   anti join urls on urls.name = fresh.url
   join domains on domains.name = fresh.domain`,
  `insert into citations (${answerList}, url_number, domain_number)
   select ${stagedList}, urls.number, urls.domain_number
   from staged join urls on urls.name = staged.url`,
  "truncate staged",
];
