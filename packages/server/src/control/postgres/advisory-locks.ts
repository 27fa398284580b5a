import { type Kysely, sql } from "kysely";
import { idleInTransactionMs } from "../../platform/postgres.ts";

/** The first half of the keys of Sightline's advisory locks: others may lock in the database. */
const ours = 0x5349;

/** The second half, by what is locked. */
const numbers = { migrations: 1, changes: 2, "signing keys": 3 } as const;

/** What an advisory lock is taken for. */
export type AdvisoryLock = keyof typeof numbers;

/** For a statement: how long its transaction may be silent, before PostgreSQL ends it. */
function mayBeIdle(ms: number) {
  return sql`set_config('idle_in_transaction_session_timeout', ${`${ms}`}, true)`;
}

/** Lets a transaction be silent for longer: it computes between its statements. */
export async function computesLong<Tables>(transaction: Kysely<Tables>, ms: number): Promise<void> {
  await sql`select ${mayBeIdle(ms)}`.execute(transaction);
}

/**
 * Waits for a lock, which then lasts as long as the transaction. Everybody waits for it, so it is
 * taken last: from then on the transaction may not be silent for long.
 */
export async function lockInTransaction<Tables>(
  transaction: Kysely<Tables>,
  lock: AdvisoryLock,
): Promise<void> {
  const key = sql`${sql.lit(ours)}, ${sql.lit(numbers[lock])}`;
  const idle = mayBeIdle(idleInTransactionMs);
  await sql`select ${idle}, pg_advisory_xact_lock(${key})`.execute(transaction);
}

/** The first half of the keys of locks by account. */
const oursByAccount = 0x534a;

/** Waits for others who spend of an account, until the end of the transaction. */
export async function lockSpend<Tables>(
  transaction: Kysely<Tables>,
  accountId: string,
): Promise<void> {
  // Accounts whose ids have the same hash wait for each other, and that is all.
  const key = sql`${sql.lit(oursByAccount)}, hashtext(${accountId})`;
  await sql`select pg_advisory_xact_lock(${key})`.execute(transaction);
}

/** Waits for a lock, which then lasts as long as the connection. */
export async function lockInSession<Tables>(
  connection: Kysely<Tables>,
  lock: AdvisoryLock,
): Promise<void> {
  const key = sql`${sql.lit(ours)}, ${sql.lit(numbers[lock])}`;
  await sql`select pg_advisory_lock(${key})`.execute(connection);
}
