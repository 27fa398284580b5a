import { BIGINT, type DuckDBType, INTEGER, SMALLINT, USMALLINT, UTINYINT } from "@duckdb/node-api";
import type { RollupTable } from "../../analytics/rollups.ts";

/** A column: its name, and its type both for SQL and for appending. */
export type Column = readonly [name: string, type: DuckDBType];

/** The bucket of a row at each interval; see analytics/buckets. */
const timeColumns: readonly Column[] = [
  ["day", INTEGER],
  ["week", INTEGER],
  ["month", INTEGER],
];

/** What an answer's rows can be chosen by. */
const filterColumns: readonly Column[] = [
  ["prompt", INTEGER],
  ["topic", INTEGER],
  ["provider", UTINYINT],
  ["region", SMALLINT],
  ["branded", UTINYINT],
];

/** What every row says of its answer. */
const answerColumns: readonly Column[] = [
  ["answered_at", BIGINT],
  ...timeColumns,
  ...filterColumns,
];

const entityColumn: Column = ["entity", USMALLINT];

/** 0 or 1 in a row; sums in a rollup. */
const measures = ["mentioned", "cited", "visible", "rank"] as const;

const appearanceColumns: readonly Column[] = [
  ...answerColumns,
  entityColumn,
  ["mentioned", UTINYINT],
  ["cited", UTINYINT],
  ["visible", UTINYINT],
  ["rank", USMALLINT],
];

const citationColumns: readonly Column[] = [
  ...answerColumns,
  ["url_number", INTEGER],
  ["domain_number", INTEGER],
];

/** Where a batch's rows wait. Temporary tables are not in the file or its log. */
export const stages = {
  answers: { table: "batch_answers", columns: [["answer", INTEGER], ...answerColumns] },
  appearances: {
    table: "batch_appearances",
    columns: [
      ["answer", INTEGER],
      entityColumn,
      ["mentioned", UTINYINT],
      ["cited", UTINYINT],
      ["visible", UTINYINT],
      ["rank", USMALLINT],
    ],
  },
  citations: {
    table: "batch_citations",
    columns: [
      ["answer", INTEGER],
      ["url", INTEGER],
    ],
  },
} as const satisfies Record<string, { table: string; columns: readonly Column[] }>;

/** A rollup's table: what its rows tell apart. Its sums are those of the measures. */
export interface RollupLayout {
  readonly keys: readonly Column[];
  /** How its rows are sorted within a month, so that a filter reads few of them. */
  readonly order: readonly string[];
}

const columnsNamed = (...names: readonly string[]) =>
  filterColumns.filter(([name]) => names.includes(name));

/** How each rollup is laid out. */
export const rollupLayouts: Readonly<Record<RollupTable, RollupLayout>> = {
  daily: {
    keys: [...timeColumns, ...columnsNamed("provider", "region", "branded"), entityColumn],
    order: ["day", "provider", "region", "branded", "entity"],
  },
  daily_prompts: {
    keys: [...timeColumns, ...columnsNamed("prompt", "topic", "branded"), entityColumn],
    order: ["topic", "prompt", "day", "branded", "entity"],
  },
};

/** The rollups' names. */
export const rollupTables = Object.keys(rollupLayouts) as readonly RollupTable[];

const listOf = (columns: readonly Column[], table?: string) =>
  columns.map(([name]) => (table === undefined ? name : `${table}.${name}`)).join(", ");

function tableOf(name: string, columns: readonly Column[], kind = "table"): string {
  const list = columns.map(([column, type]) => `${column} ${type.toString()} not null`).join(", ");
  return `create ${kind} ${name} (${list})`;
}

function rollupColumns({ keys }: RollupLayout): readonly Column[] {
  return [...keys, ...measures.map((name): Column => [name, INTEGER])];
}

/**
 * The tables of an account's facts. Rows are only ever added: no UPDATE, no DELETE, no index,
 * since the engine's replay of its log after those has open faults.
 */
export const layout: readonly string[] = [
  // The snapshot in force is the last one; a new one only adds prompts and topics.
  "create table snapshots (number INTEGER not null, document VARCHAR not null)",
  // The watermark is the largest: all answers up to it are in the facts. See RecordMark.
  "create table marks (sequence BIGINT not null, stamp VARCHAR not null)",
  "create table passed_over (prompt_id VARCHAR not null)",
  // How many rows a rollup had when it was last compacted; the largest number is the last time.
  `create table compactions (
     number INTEGER not null, rollup VARCHAR not null, row_count BIGINT not null)`,
  tableOf("appearances", appearanceColumns),
  tableOf("citations", citationColumns),
  ...rollupTables.map((table) => tableOf(table, rollupColumns(rollupLayouts[table]))),
  "create table domains (number INTEGER not null, name VARCHAR not null)",
  `create table urls (
     number INTEGER not null, name VARCHAR not null, domain_number INTEGER not null)`,
];

/** Every table of the file. */
export const factsTables: readonly string[] = [
  ...["snapshots", "marks", "passed_over", "compactions"],
  ...["appearances", "citations", "domains", "urls"],
  ...rollupTables,
];

/** To be made on the writer's connection, once. */
export const stagingLayout: readonly string[] = [
  ...Object.values(stages).map(({ table, columns }) => {
    return tableOf(table, columns, "temporary table");
  }),
  tableOf("new_appearances", appearanceColumns, "temporary table"),
  `create temporary table batch_urls (
     place INTEGER not null, name VARCHAR not null, domain VARCHAR not null)`,
  `create temporary table numbered_urls (
     place INTEGER not null, name VARCHAR not null, number INTEGER not null,
     domain_number INTEGER not null, is_new BOOLEAN not null)`,
];

/** The batch's URLs, of two texts with a line each: $1 the URLs, $2 the domain of each. */
export const stageUrls = `insert into batch_urls
  select generate_subscripts(names, 1) - 1, unnest(names), unnest(domains)
  from (select string_split($1, chr(10)) as names, string_split($2, chr(10)) as domains)`;

const sums = measures.map((name) => `sum(${name})`).join(", ");

/** A rollup's rows of another table's. */
const summed = (table: RollupTable, from: string, which = "") => {
  const keys = listOf(rollupLayouts[table].keys);
  return `select ${keys}, ${sums} from ${from} ${which} group by ${keys}`;
};

/** From the stages to the tables and every rollup, in this order. */
export const addAppearances: readonly string[] = [
  `insert into new_appearances
   select ${listOf(answerColumns, "batch_answers")}, entity, mentioned, cited, visible, rank
   from batch_appearances join batch_answers using (answer)`,
  "insert into appearances select * from new_appearances",
  ...rollupTables.map((table) => `insert into ${table} ${summed(table, "new_appearances")}`),
];

/**
 * Gives numbers to the batch's new domains and URLs and adds its citations, in this order. The
 * account's URLs are many, so a batch looks through their names once.
 */
export const addCitations: readonly string[] = [
  `insert into domains (number, name)
   select (select coalesce(max(number), 0) from domains) + row_number() over (order by domain),
     domain
   from (select distinct domain from batch_urls) anti join domains on domains.name = domain`,
  `insert into numbered_urls
   select place, batch_urls.name, number, domain_number, false
   from batch_urls join urls on urls.name = batch_urls.name`,
  `insert into numbered_urls
   select place, fresh.name,
     (select coalesce(max(number), 0) from urls) + row_number() over (order by place),
     domains.number, true
   from (from batch_urls anti join numbered_urls using (place)) as fresh
   join domains on domains.name = fresh.domain`,
  `insert into urls (number, name, domain_number)
   select number, name, domain_number from numbered_urls where is_new order by place`,
  `insert into citations
   select ${listOf(answerColumns, "batch_answers")}, number, domain_number
   from batch_citations
   join batch_answers using (answer)
   join numbered_urls on place = url
   order by answer`, // the joins give them in any order, and the index wants answers whole
];

/** Empties the stages. */
export const clearStages: readonly string[] = [
  ...Object.values(stages).map(({ table }) => `truncate ${table}`),
  "truncate new_appearances",
  "truncate batch_urls",
  "truncate numbered_urls",
];

/** The statements that write a rollup anew: sorted, each row once. */
export interface Compaction {
  readonly create: string;
  /** Of the months from $1 up to and with $2. */
  readonly fill: string;
  readonly replace: readonly string[];
}

/** How a rollup is compacted. */
export function compactionOf(table: RollupTable): Compaction {
  const rollup = rollupLayouts[table];
  return {
    create: tableOf("compacted", rollupColumns(rollup)),
    fill: `insert into compacted ${summed(table, table, "where month between $1 and $2")}
      order by month, ${rollup.order.join(", ")}`,
    replace: [`drop table ${table}`, `alter table compacted rename to ${table}`],
  };
}
