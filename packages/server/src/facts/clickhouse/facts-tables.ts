import { hash } from "node:crypto";
import type { Pool } from "pg";
import {
  type ClickhouseTable,
  type Deployment,
  type ErasureContext,
  eraseRows,
  localName,
} from "../../answers/clickhouse/tables.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Logger } from "../../platform/logger.ts";
import { constant, sql } from "../../platform/sql.ts";
import { anyMeasures, dailySums } from "../columns.ts";

type Columns = ClickhouseTable["columns"];

/** Whose rows they are, and the batch that they came with: see facts-state. */
const keyColumns: Columns = [
  ["account_id", "UUID", "ZSTD(1)"],
  ["generation", "UInt32", "ZSTD(1)"],
  ["batch", "UInt32", "Delta, ZSTD(1)"],
];

const timeColumns: Columns = ["day", "week", "month"].map((name) => [
  name,
  "Int32",
  "Delta, ZSTD(1)",
]);

const filterColumns: Columns = [
  ["prompt", "UInt32", "ZSTD(1)"],
  ["topic", "UInt32", "ZSTD(1)"],
  ["provider", "UInt8", "ZSTD(1)"],
  ["region", "UInt16", "ZSTD(1)"],
  ["branded", "UInt8", "ZSTD(1)"],
  ["model", "Int32", "ZSTD(1)"],
  ["surface", "UInt8", "ZSTD(1)"],
];

const answerColumns: Columns = [
  ...keyColumns,
  ["sequence", "UInt64", "Delta, ZSTD(1)"],
  ["answered_at", "Int64", "Delta, ZSTD(1)"],
  ...timeColumns,
  ...filterColumns,
];

const entityColumn: Columns[number] = ["entity", "UInt16", "ZSTD(1)"];

const answerDetailColumns: Columns = anyMeasures.map((name) => [name, "UInt8", "ZSTD(1)"]);

const appearanceColumns: Columns = [
  ...answerColumns,
  ...answerDetailColumns,
  entityColumn,
  ["mentioned", "UInt8", "ZSTD(1)"],
  ["cited", "UInt8", "ZSTD(1)"],
  ["visible", "UInt8", "ZSTD(1)"],
  ["rank", "UInt16", "ZSTD(1)"],
  ["language", "UInt16", "ZSTD(1)"],
  ["portrayal", "UInt8", "ZSTD(1)"],
];

const citationColumns: Columns = [
  ...answerColumns,
  ["url_number", "UInt64", "ZSTD(1)"],
  ["domain_number", "UInt64", "ZSTD(1)"],
];

const wordColumns: Columns = ["month", "word", "lower", "capital"].map((name) => {
  return [name, "Int32", "ZSTD(1)"];
});

const nameColumns: Columns = [
  ["number", "Int64", "ZSTD(1)"],
  ["bits", "UInt8", "ZSTD(1)"],
  ["owner", "UInt16", "ZSTD(1)"],
  ["place", "UInt16", "ZSTD(1)"],
  ["begins", "UInt32", "ZSTD(1)"],
  ["ends", "UInt32", "ZSTD(1)"],
  ["domain", "String", "ZSTD(3)"],
];

const byTime = ["account_id", "generation", "day", "answered_at"];
const byPrompt = ["account_id", "generation", "topic", "prompt", "day"];
/** ClickHouse's own: questions read ranges of rows. */
const rangeGranularity = 8_192;
/** Names are looked up for a page, and lie at random. */
const namesGranularity = 128;

const facts = (name: string, columns: Columns, order: readonly string[]): ClickhouseTable => {
  return { name, columns, order, engine: "MergeTree", granularity: rangeGranularity };
};

/**
 * Texts by their numbers. Equal rows are merged, and one that stays twice does no harm. Each
 * generation has its own, so that what only removed answers cited goes with the facts of before.
 */
const names = (name: string): ClickhouseTable => {
  const columns: Columns = [
    ["account_id", "UUID", "ZSTD(1)"],
    ["generation", "UInt32", "ZSTD(1)"],
    ["number", "UInt64", "NONE"],
    ["name", "String", "ZSTD(3)"],
  ];
  const order = ["account_id", "generation", "number"];
  return { name, columns, order, engine: "ReplacingMergeTree", granularity: namesGranularity };
};

const foldColumns: Columns = [...keyColumns, ["fold", "UInt32", "ZSTD(1)"]];

/**
 * The tables of facts. Rows lie in two orders, in a table each: a projection would be rewritten
 * for all accounts of a part when one account's old generation is deleted.
 */
export const factsTables: readonly ClickhouseTable[] = [
  facts("appearances", appearanceColumns, byTime),
  facts("appearances_by_prompt", appearanceColumns, byPrompt),
  facts("citations", citationColumns, byTime),
  facts("citations_by_prompt", citationColumns, byPrompt),
  facts("queries", [...answerColumns, ["query_key", "String", "ZSTD(3)"]], byTime),
  facts("names", [...answerColumns, ...nameColumns], byTime),
  facts("words", [...keyColumns, ...wordColumns], ["account_id", "generation", "word"]),
  facts("unanswered", [...answerColumns, ["outcome", "UInt8", "ZSTD(1)"]], byTime),
  facts(
    "daily",
    [
      ...foldColumns,
      ...timeColumns,
      ...filterColumns.filter(([name]) => ["provider", "region", "branded"].includes(name)),
      entityColumn,
      ...dailySums.map((name) => [name, "UInt32", "ZSTD(1)"] as const),
    ],
    ["account_id", "generation", "fold", "day", "provider", "region", "branded", "entity"],
  ),
  facts(
    "daily_domains",
    [
      ...foldColumns,
      ...timeColumns.filter(([name]) => name !== "week"),
      ["domain_number", "UInt64", "ZSTD(1)"],
      ["citations", "UInt32", "ZSTD(1)"],
    ],
    ["account_id", "generation", "fold", "day", "domain_number"],
  ),
  names("url_names"),
  names("domain_names"),
];

/** The tables whose rows are of a generation. */
export const generationTables: readonly string[] = factsTables
  .filter(({ columns }) => columns.some(([name]) => name === "generation"))
  .map(({ name }) => name);

/**
 * The number of a text: the first eight bytes of its SHA-256. Among ten million texts of an account
 * two have the same number with a probability of one in 370,000.
 */
export function textNumber(text: string): bigint {
  return hash("sha256", text, "buffer").readBigUInt64LE();
}

/** Removes the facts of an account that was deleted. */
export async function eraseFacts(context: ErasureContext & { readonly pool: Pool }): Promise<void> {
  const { pool, accountId } = context;
  await pool.query("delete from cluster_facts where account_id = $1", [accountId]);
  await pool.query("delete from cluster_generations where account_id = $1", [accountId]);
  for (const { name } of factsTables) await eraseRows(name, context);
}

/** Where generations are dropped, and when. */
interface DroppingContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly deployment: Deployment;
  /** How long they stay after the last question could begin. */
  readonly keepMs: number;
}

/**
 * Every so often drops what is left of old generations: of nodes that ended before they dropped
 * theirs, and of attempts that failed. @returns a function that ends this.
 */
export function dropLeftRegularly(
  context: DroppingContext & { readonly logger: Logger },
  everyMs: number,
): () => void {
  const { pool, logger, keepMs } = context;
  let isDropping = false;
  const drop = async () => {
    if (isDropping) return;
    isDropping = true;
    try {
      // A node that runs has dropped its own by then.
      const { rows } = await pool.query<{ account_id: string }>(
        `select distinct account_id from cluster_generations
         where retired_at <= now() - make_interval(secs => $1)`,
        [(keepMs + everyMs) / 1_000],
      );
      for (const { account_id } of rows) await dropRetired(account_id, context);
    } catch (error) {
      logger.warn({ error: String(error) }, "dropping what is left of old facts failed");
    } finally {
      isDropping = false;
    }
  };
  const timer = setInterval(() => void drop(), everyMs).unref();
  return () => clearInterval(timer);
}

/**
 * Drops an account's generations that nobody reads any more. What fails is tried again by
 * `dropLeftRegularly`, since PostgreSQL forgets them last.
 */
export async function dropRetired(
  accountId: string,
  { clickhouse, pool, deployment, keepMs }: DroppingContext,
): Promise<void> {
  const { rows } = await pool.query<{ generation: string | number }>(
    `select generation from cluster_generations
     where account_id = $1 and retired_at <= now() - make_interval(secs => $2)`,
    [accountId, keepMs / 1_000],
  );
  if (rows.length === 0) return;
  const generations = rows.map(({ generation }) => Number(generation));
  const account = { type: "UUID", value: accountId } as const;
  for (const table of generationTables) {
    await clickhouse.everywhere(sql`delete from ${constant(localName(table, deployment))}
      where account_id = ${account}
        and generation in ${{ type: "Array(UInt32)", value: generations }}`);
  }
  await pool.query("delete from cluster_generations where generation = any($1)", [generations]);
}
