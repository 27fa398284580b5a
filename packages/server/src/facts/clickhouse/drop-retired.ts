import type { Pool } from "pg";
import { type Deployment, localName } from "../../answers/clickhouse/create-table.ts";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import type { Logger } from "../../platform/logger.ts";
import { constant, sql } from "../../platform/sql.ts";
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
