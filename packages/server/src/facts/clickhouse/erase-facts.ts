import type { Pool } from "pg";
import { type ErasureContext, eraseRows } from "../../answers/clickhouse/erase-record.ts";
import { factsTables } from "./facts-tables.ts";

/** Removes the facts of an account that was deleted. */
export async function eraseFacts(context: ErasureContext & { readonly pool: Pool }): Promise<void> {
  const { pool, accountId } = context;
  await pool.query("delete from cluster_facts where account_id = $1", [accountId]);
  await pool.query("delete from cluster_generations where account_id = $1", [accountId]);
  for (const { name } of factsTables) await eraseRows(name, context);
}
