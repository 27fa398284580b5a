import { type Kysely, sql } from "kysely";
import { idleInTransactionMs } from "../../platform/postgres.ts";

/** The first half of the keys of our advisory locks: other software may use the same database. */
const ours = 0x5349;

/** The second half, by lock. */
const numbers = { migrations: 1, changes: 2, "signing keys": 3 } as const;

/** The names of the advisory locks. */
export type AdvisoryLock = keyof typeof numbers;

/** SQL that sets how long the transaction may be idle before PostgreSQL ends it. */
function mayBeIdle(ms: number) {
  return sql`set_config('idle_in_transaction_session_timeout', ${`${ms}`}, true)`;
}

/** Lets a transaction be idle for longer: it computes between its statements. */
export async function computesLong<Tables>(transaction: Kysely<Tables>, ms: number): Promise<void> {
  await sql`select ${mayBeIdle(ms)}`.execute(transaction);
}

/**
 * Takes a lock until the end of the transaction. All writers wait for it, so take it last: from
 * then on the transaction may not be idle for long.
 */
export async function lockInTransaction<Tables>(
  transaction: Kysely<Tables>,
  lock: AdvisoryLock,
): Promise<void> {
  const key = sql`${sql.lit(ours)}, ${sql.lit(numbers[lock])}`;
  const idle = mayBeIdle(idleInTransactionMs);
  await sql`select ${idle}, pg_advisory_xact_lock(${key})`.execute(transaction);
}

/** The first half of the keys of per-account locks. */
const oursByAccount = { spend: 0x534a, audit: 0x534b } as const;

/** Takes the lock of an account's spend ledger until the end of the transaction. */
export function lockSpend<Tables>(transaction: Kysely<Tables>, accountId: string): Promise<void> {
  return lockAccount(transaction, accountId, oursByAccount.spend);
}

/** Takes the lock of an account's audit log until the end of the transaction. */
export function lockAudit<Tables>(transaction: Kysely<Tables>, accountId: string): Promise<void> {
  return lockAccount(transaction, accountId, oursByAccount.audit);
}

async function lockAccount<Tables>(
  transaction: Kysely<Tables>,
  accountId: string,
  first: number,
): Promise<void> {
  // Accounts with equal hashes share a lock, which is harmless.
  const key = sql`${sql.lit(first)}, hashtext(${accountId})`;
  await sql`select pg_advisory_xact_lock(${key})`.execute(transaction);
}

/** Takes a lock until the connection is closed. */
export async function lockInSession<Tables>(
  connection: Kysely<Tables>,
  lock: AdvisoryLock,
): Promise<void> {
  const key = sql`${sql.lit(ours)}, ${sql.lit(numbers[lock])}`;
  await sql`select pg_advisory_lock(${key})`.execute(connection);
}
