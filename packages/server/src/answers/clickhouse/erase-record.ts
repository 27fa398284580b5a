import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, type Statement, sql } from "../../platform/sql.ts";
import { type Deployment, localName } from "./create-table.ts";

/** Where rows of a deleted account are removed. */
export interface ErasureContext {
  readonly clickhouse: Clickhouse;
  readonly deployment: Deployment;
  readonly accountId: string;
}

/** Removes an account's rows from a table at every node, and waits until they are gone. */
export async function eraseRows(
  table: string,
  { clickhouse, deployment, accountId }: ErasureContext,
): Promise<void> {
  const account = { type: "UUID", value: accountId } as const;
  const rows = {
    query: sql`select count() from ${constant(table)} where account_id = ${account}`,
    shape: { rows: "number" },
  } as const satisfies Statement<{ rows: "number" }>;
  const [found] = await clickhouse.query(rows);
  if (found?.rows === 0) return; // to look costs nothing, to remove writes whole parts again
  await clickhouse.everywhere(sql`alter table ${constant(localName(table, deployment))} delete
    where account_id = ${account} settings mutations_sync = 2`);
}

/** Removes an account's record; its writers must have ended. */
export async function eraseRecord(
  context: ErasureContext & { readonly pool: Pool },
): Promise<void> {
  const { pool, accountId } = context;
  await pool.query("delete from cluster_batches where account_id = $1", [accountId]);
  await pool.query("delete from cluster_records where account_id = $1", [accountId]);
  await eraseRows("raw_replies", context);
  await eraseRows("answers", context);
}
