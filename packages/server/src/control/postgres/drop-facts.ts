import { sql } from "kysely";
import type { ControlDatabase } from "../database.ts";

/**
 * Takes an account's facts out of force. A node that projects it loses its lease, so what it goes
 * on to write does not count. The rows are dropped after the facts were rebuilt.
 */
export async function dropFacts(database: ControlDatabase, accountId: string): Promise<void> {
  const { rows } = await sql<{ fence: number }>`
    update leases set fence = fence + 1, expires_at = clock_timestamp()
    where account_id = ${accountId} returning fence`.execute(database);
  const [lease] = rows;
  if (lease === undefined) return; // no node has ever projected it
  // In the order in which nodes lock them.
  await sql`
    update cluster_facts set fence = ${lease.fence} where account_id = ${accountId}`.execute(
    database,
  );
  await sql`
    update cluster_generations set retired_at = now()
    where account_id = ${accountId} and retired_at is null`.execute(database);
  await sql`
    update cluster_facts set current = null, next = null
    where account_id = ${accountId}`.execute(database);
}
