import { randomUUID } from "node:crypto";
import type { Pool, PoolClient } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { type Statement, sql } from "../../platform/sql.ts";

/** The sequence numbers of an account's record that count, as PostgreSQL says. */
export interface SequenceRange {
  /** Identifies the record, in marks: 32 digits in capitals. */
  readonly recordId: string;
  /** The last sequence number that was reserved. */
  readonly reserved: number;
  /** The last answer that counts. */
  readonly committed: number;
  /** When it was recorded; null: there is none. */
  readonly recordedAtMs: number | null;
  /** Of writers that died: sequence numbers in [first, end) do not count. */
  readonly abandoned: readonly (readonly [first: number, end: number])[];
  /** What is being removed; null: nothing, and answers may be read and written. */
  readonly removing: string | null;
}

interface SequencesRow {
  readonly record_id: string;
  readonly reserved: string | number;
  readonly committed: string | number;
  readonly recorded_at: string | number | null;
  readonly abandoned: string;
  readonly removing: string | null;
}

const selectSequences = `
  select record_id, reserved, committed, recorded_at, abandoned::text as abandoned, removing
  from cluster_records where account_id = $1`;

/** How far a record goes; null: nothing was recorded yet. */
export async function readSequences(
  pool: Pool | PoolClient,
  accountId: string,
): Promise<SequenceRange | null> {
  const { rows } = await pool.query<SequencesRow>(selectSequences, [accountId]);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    recordId: row.record_id.replaceAll("-", "").toUpperCase(),
    reserved: Number(row.reserved),
    committed: Number(row.committed),
    recordedAtMs: row.recorded_at === null ? null : Number(row.recorded_at),
    abandoned: rangesOf(row.abandoned),
    removing: row.removing,
  };
}

/** From a text such as {[1,3),[7,9)}. */
function rangesOf(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => {
    return [Number(first), Number(end)] as const;
  });
}

/**
 * Reserves the next sequence numbers for so many answers. Numbers that were reserved before and do
 * not count are abandoned: their writer died, unless it is this one.
 * @param own the first number that this writer reserved and has not committed; null: none.
 * @returns the first number.
 */
export async function reserveSequences(
  client: PoolClient,
  accountId: string,
  { answers, own }: { readonly answers: number; readonly own: number | null },
): Promise<number> {
  const fresh = [accountId, randomUUID()];
  await client.query(
    `insert into cluster_records (account_id, record_id)
     select $1::uuid, $2::uuid
     where not exists (select 1 from deletions where account_id = $1::uuid::text)
       or exists (select 1 from accounts where id = $1::uuid::text)
     on conflict (account_id) do nothing`,
    fresh,
  );
  const { rows } = await client.query<{ first: string | number }>(
    `update cluster_records set
       abandoned = case when $3::bigint is null and reserved > committed
         then abandoned + int8multirange(int8range(committed + 1, reserved + 1))
         else abandoned end,
       reserved = reserved + $2
     where account_id = $1 and ($3::bigint is null or not abandoned @> $3::bigint)
     returning reserved - $2 + 1 as first`,
    [accountId, answers, own],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(lost);
  return Number(row.first);
}

const lost = "another writer took over the record of the account";

/** The sequence numbers of the answers that a writer inserted. */
interface TakenSequences {
  readonly first: number;
  readonly last: number;
  readonly recordedAtMs: number;
  /** To which they belong; null: to none. */
  readonly importId: string | null;
}

/**
 * Commits everything up to `last`, unless another writer abandoned it meanwhile.
 * @throws when it was abandoned.
 */
export async function commit(
  client: PoolClient,
  accountId: string,
  { first, last, recordedAtMs, importId }: TakenSequences,
): Promise<void> {
  const { rows } = await client.query(
    `with counted as (
       update cluster_records set committed = $3, recorded_at = $4
       where account_id = $1 and reserved = $3 and not abandoned @> $2::bigint
       returning 1
     ), noted as (
       insert into cluster_batches (account_id, import_id, first_sequence, last_sequence)
       select $1, $5, $2, $3 from counted where $5::uuid is not null
     )
     select 1 from counted`,
    [accountId, first, last, recordedAtMs, importId],
  );
  if (rows.length !== 1) throw new Error(lost);
}

/**
 * The sequence numbers of an import's answers, in order: the first and the last of commits with no
 * other numbers between them. An import commits thousands of times, mostly one after the other.
 */
export async function sequencesOfImport(
  client: Pool | PoolClient,
  accountId: string,
  importId: string,
): Promise<readonly (readonly [first: number, last: number])[]> {
  const { rows } = await client.query<{ first: string | number; last: string | number }>(
    `select first_sequence as first, last_sequence as last from cluster_batches
     where account_id = $1 and import_id = $2 order by first_sequence`,
    [accountId, importId],
  );
  const ranges: [first: number, last: number][] = [];
  for (const row of rows) {
    const [first, last] = [Number(row.first), Number(row.last)];
    const before = ranges.at(-1);
    if (before !== undefined && before[1] + 1 === first) before[1] = last;
    else ranges.push([first, last]);
  }
  return ranges;
}

const lastSequences = {
  query: sql`select account_id, max(sequence) from answers group by account_id`,
  shape: { accountId: "text", last: "number" },
} as const satisfies Statement<{ accountId: "text"; last: "number" }>;

/**
 * After a backup of PostgreSQL was restored: ClickHouse may have answers at numbers that PostgreSQL
 * has not reserved yet. They are reserved here, so that the next writer abandons them; otherwise
 * its own answers would let them count. Changes nothing when there are none, also while nodes
 * write.
 */
export async function skipUsedSequences({
  clickhouse,
  pool,
}: {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
}): Promise<void> {
  for (const { accountId, last } of await clickhouse.query(lastSequences)) {
    await pool.query(
      `insert into cluster_records (account_id, record_id, reserved) values ($1, $2, $3)
       on conflict (account_id) do update
       set reserved = greatest(cluster_records.reserved, excluded.reserved)`,
      [accountId, randomUUID(), last],
    );
  }
}
