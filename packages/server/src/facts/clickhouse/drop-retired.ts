import type { Pool } from "pg";
import { type Deployment, localName } from "../../answers/clickhouse/create-table.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, sql } from "../../platform/clickhouse/statement.ts";
import { generationTables } from "./facts-tables.ts";

/** Where generations are dropped, and when. */
export interface DroppingContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
  readonly deployment: Deployment;
  /** How long they stay after the last question could begin. */
  readonly keepMs: number;
}

/**
 * Drops an account's generations that nobody reads any more. What fails is tried again the next
 * time, since PostgreSQL forgets them last.
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
