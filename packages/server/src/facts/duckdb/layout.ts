import {
  BIGINT,
  type DuckDBType,
  INTEGER,
  SMALLINT,
  USMALLINT,
  UTINYINT,
  VARCHAR,
} from "@duckdb/node-api";
import { anyMeasures, dailySums } from "../columns.ts";
import type { FactsTable } from "../plan/plan.ts";

/** A column: its name, and its type both for SQL and for appending. */
export type Column = readonly [name: string, type: DuckDBType];

/** The bucket of a row at each interval; see analytics/buckets. */
const timeColumns: readonly Column[] = [
  ["day", INTEGER],
  ["week", INTEGER],
  ["month", INTEGER],
];

/** What an answer's rows can be filtered by. */
const filterColumns: readonly Column[] = [
  ["prompt", INTEGER],
  ["topic", INTEGER],
  ["provider", UTINYINT],
  ["region", SMALLINT],
  ["branded", UTINYINT],
  ["model", INTEGER],
  ["surface", UTINYINT],
];

/** The columns of every row that say which answer it belongs to. */
export const answerColumns: readonly Column[] = [
  ["sequence", BIGINT],
  ["answered_at", BIGINT],
  ...timeColumns,
  ...filterColumns,
];

/** The columns of an appearance that say more of its answer. */
export const answerDetailColumns: readonly Column[] = [
  ["language", USMALLINT],
  ...anyMeasures.map((name): Column => [name, UTINYINT]),
];

/** The columns of an appearance that are not its answer's. */
export const appearanceOwnColumns: readonly Column[] = [
  ["entity", USMALLINT],
  ["mentioned", UTINYINT],
  ["cited", UTINYINT],
  ["visible", UTINYINT],
  ["rank", USMALLINT],
  ["portrayal", UTINYINT],
];

/** The columns of a name that are numbers, and not its answer's. */
export const nameOwnColumns: readonly Column[] = [
  ["number", BIGINT],
  ["bits", UTINYINT],
  ["owner", USMALLINT],
  ["place", USMALLINT],
  ["begins", INTEGER],
  ["ends", INTEGER],
];

/** A table of facts: its columns, and how its rows are sorted when it is compacted. */
export interface TableLayout {
  readonly columns: readonly Column[];
  readonly order: readonly string[];
  /** Of a rollup: the columns whose equal rows are added up; the others are sums. */
  readonly keys: readonly string[] | null;
}

const columnsNamed = (...names: readonly string[]) =>
  [...timeColumns, ...filterColumns].filter(([name]) => names.includes(name));

/** Rows of one topic and of one prompt lie together within each month, so a filter reads few. */
const rowOrder = ["month", "topic", "prompt", "day", "sequence"];

/** How each table that questions read is laid out. */
export const tableLayouts: Readonly<Record<FactsTable, TableLayout>> = {
  appearances: {
    columns: [...answerColumns, ...answerDetailColumns, ...appearanceOwnColumns],
    order: [...rowOrder, "entity"],
    keys: null,
  },
  citations: {
    columns: [...answerColumns, ["url_number", INTEGER], ["domain_number", INTEGER]],
    order: rowOrder,
    keys: null,
  },
  unanswered: {
    columns: [...answerColumns, ["outcome", UTINYINT]],
    order: rowOrder,
    keys: null,
  },
  queries: {
    columns: [...answerColumns, ["query_key", VARCHAR]],
    order: rowOrder,
    keys: null,
  },
  names: {
    columns: [...answerColumns, ...nameOwnColumns, ["domain", VARCHAR]],
    order: rowOrder,
    keys: null,
  },
  words: {
    columns: [
      ["month", INTEGER],
      ["word", INTEGER],
      ["lower", INTEGER],
      ["capital", INTEGER],
    ],
    order: ["month", "word"],
    keys: ["month", "word"],
  },
  daily: {
    columns: [
      ...columnsNamed("day", "week", "month", "provider", "region", "branded"),
      ["entity", USMALLINT],
      ...dailySums.map((name): Column => [name, INTEGER]),
    ],
    order: ["month", "day", "provider", "region", "branded", "entity"],
    keys: ["day", "week", "month", "provider", "region", "branded", "entity"],
  },
  daily_domains: {
    columns: [...columnsNamed("day", "month"), ["domain_number", INTEGER], ["citations", INTEGER]],
    order: ["month", "day", "domain_number"],
    keys: ["day", "month", "domain_number"],
  },
};

/** The tables that questions read. */
export const questionTables = Object.keys(tableLayouts) as readonly FactsTable[];

/** The names of columns as a list of SQL, each with its table when one is given. */
export function listOf(columns: readonly Column[], table?: string): string {
  return columns.map(([name]) => (table === undefined ? name : `${table}.${name}`)).join(", ");
}

/** The statement that makes a table. */
export function createTable(name: string, columns: readonly Column[], kind = "table"): string {
  const list = columns.map(([column, type]) => `${column} ${type.toString()} not null`).join(", ");
  return `create ${kind} ${name} (${list})`;
}

/**
 * The tables of an account's facts. Rows are only ever added: no UPDATE, no DELETE, no index,
 * since the engine's replay of its log after those has open faults.
 */
export const layout: readonly string[] = [
  // The snapshot in force is the last one, with all prompts and topics: a new one only adds some.
  "create table snapshots (number INTEGER not null, document VARCHAR not null)",
  "create table topics (number INTEGER not null, id VARCHAR not null)",
  `create table prompts (
     number INTEGER not null, id VARCHAR not null, topic INTEGER not null,
     branded UTINYINT not null)`,
  // The watermark is the largest: all answers up to it are in the facts. See RecordMark.
  "create table watermarks (sequence BIGINT not null, stamp VARCHAR not null)",
  "create table skipped_prompts (prompt_id VARCHAR not null)",
  // How many rows a table had when it was last compacted; the largest number is the last time.
  `create table compactions (
     number INTEGER not null, table_name VARCHAR not null, row_count BIGINT not null)`,
  ...questionTables.map((table) => createTable(table, tableLayouts[table].columns)),
  "create table domains (number INTEGER not null, name VARCHAR not null)",
  `create table urls (
     number INTEGER not null, name VARCHAR not null, domain_number INTEGER not null)`,
];

/** Every table of the file. */
export const factsTables: readonly string[] = [
  ...[
    "snapshots",
    "topics",
    "prompts",
    "watermarks",
    "skipped_prompts",
    "compactions",
    "domains",
    "urls",
  ],
  ...questionTables,
];

/** The rows of another table, added up as a rollup wants them. */
export function summedInto(table: FactsTable, from: string, which = ""): string {
  const { columns, keys } = tableLayouts[table];
  if (keys === null) return `select ${listOf(columns)} from ${from} ${which}`;
  const sums = columns.map(([name]) => (keys.includes(name) ? name : `sum(${name})`));
  return `select ${sums.join(", ")} from ${from} ${which} group by ${keys.join(", ")}`;
}
