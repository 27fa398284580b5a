import { randomUUID } from "node:crypto";
import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { type Statement, sql } from "../../platform/sql.ts";

const lastPlaces = {
  query: sql`select account_id, max(sequence) from answers group by account_id`,
  shape: { accountId: "text", last: "number" },
} as const satisfies Statement<{ accountId: "text"; last: "number" }>;

/**
 * After a backup of PostgreSQL was restored: ClickHouse may have answers at places that PostgreSQL
 * has not given out yet. They are taken here, so that the next writer abandons them; otherwise its
 * own answers would let them count. Changes nothing when there are none, also while nodes write.
 */
export async function skipUsedPlaces({
  clickhouse,
  pool,
}: {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
}): Promise<void> {
  for (const { accountId, last } of await clickhouse.query(lastPlaces)) {
    await pool.query(
      `insert into cluster_records (account_id, record_id, reserved) values ($1, $2, $3)
       on conflict (account_id) do update
       set reserved = greatest(cluster_records.reserved, excluded.reserved)`,
      [accountId, randomUUID(), last],
    );
  }
}
