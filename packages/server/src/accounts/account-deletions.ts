import { appendAudit, endOfAudit, serviceLog } from "../audit/audit-log.ts";
import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import { forgetStrangers } from "../people/memberships.ts";

/** An account that was deleted. */
export interface Deletion {
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Whether its files were removed; otherwise the deletion goes on, or broke off. */
  readonly isEnded: boolean;
}

/** An account is being deleted, and cannot be made again before that has ended. */
class BeingDeletedError extends Error {
  constructor(accountId: string) {
    super(
      `The account ${accountId} is being deleted. If that broke off, end it with ` +
        `sightline accounts delete ${accountId}, then repeat this.`,
    );
    this.name = "BeingDeletedError";
  }
}

type OwnedTable = {
  [Table in keyof ControlTables]: "account_id" extends keyof ControlTables[Table] ? Table : never;
}[keyof ControlTables];

/** Every table whose rows are of an account, in an order that their references allow. */
const ownedTables: Readonly<Record<Exclude<OwnedTable, "deletions" | RevokedTable>, true>> = {
  recordings: true,
  imports: true,
  labels: true,
  audit: true,
  readings: true,
  moves: true,
  hook_deliveries: true,
  hooks: true,
  mail_counts: true,
  sweep_parts: true,
  jobs: true,
  sweeps: true,
  spend: true,
  spend_holds: true,
  spend_doubts: true,
  schedules: true,
  report_schedules: true,
  reports: true,
  vendor_credentials: true,
  console_sessions: true,
  invitations: true,
  memberships: true,
  entities: true,
  topics: true,
  prompts: true,
};

/** The tables of what is revoked, for which the log's lock is taken before the row. */
const revokedTables = ["links", "keys"] as const;

type RevokedTable = (typeof revokedTables)[number];

/**
 * Removes an account with all that control has of it, its keys too, in one transaction, and notes
 * that its answers and facts are to go. @returns false when there is no such account.
 */
export function deleteAccount(
  engine: ControlEngine,
  accountId: string,
  now: number,
): Promise<boolean> {
  return writeVersioned(engine, () =>
    engine.database.transaction().execute(async (transaction) => {
      return deleteRows({ ...engine, database: transaction }, accountId, now);
    }),
  );
}

async function deleteRows(engine: ControlEngine, accountId: string, now: number): Promise<boolean> {
  const { database: transaction, dropLeases, lock } = engine;
  await lock(transaction, { account: accountId });
  const accounts = transaction.selectFrom("accounts").select("revision");
  const account = await accounts.where("id", "=", accountId).executeTakeFirst();
  if (account === undefined) return false;
  const { revision } = account;
  const keys = transaction.selectFrom("keys").select("id");
  await transaction
    .deleteFrom("key_usage")
    .where("key_id", "in", keys.where("account_id", "=", accountId))
    .execute();
  const members = transaction.selectFrom("memberships").select("person_id as id");
  const people = await members.where("account_id", "=", accountId).orderBy("person_id").execute();
  for (const { id } of people) await lock(transaction, { person: id });
  await deleteOwned(transaction, accountId);
  // TRICKY: not earlier, for a transaction that holds a row of the account, such as a job, and then
  // adds one would wait for the deletion, which waits for that row. Not after the log's lock, for
  // which one that has added a row waits. What was added meanwhile is deleted, too.
  await lock(transaction, { goingAccount: accountId });
  await deleteOwned(transaction, accountId);
  await lock(transaction, { auditOf: accountId });
  for (const table of revokedTables) {
    await transaction.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
  await forgetStrangers(
    transaction,
    people.map(({ id }) => id),
  );
  await dropLeases?.(transaction, accountId);
  await transaction.deleteFrom("accounts").where("id", "=", accountId).execute();
  const deletion = { at: now, revision, ended: null };
  await transaction
    .insertInto("deletions")
    .values({ account_id: accountId, ...deletion })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(deletion))
    .execute();
  const { entries, head } = await endOfAudit(transaction, accountId);
  await transaction.deleteFrom("audit").where("account_id", "=", accountId).execute();
  const change = { action: "account.deleted", subject: accountId } as const;
  // With the end of its log: a copy of it can still be told from a forged one.
  const before = { entries, head };
  await appendAudit(engine, serviceLog, { ...change, before, after: null }, now);
  return true;
}

async function deleteOwned(transaction: ControlDatabase, accountId: string): Promise<void> {
  const { audit: _, ...tables } = ownedTables;
  for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
    await transaction.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
}

/** The accounts that were deleted lately, oldest first. */
export async function deletedAccounts({ database }: ControlEngine): Promise<readonly Deletion[]> {
  const rows = await database
    .selectFrom("deletions")
    .select(["account_id", "at", "ended"])
    .orderBy("at")
    .orderBy("account_id")
    .execute();
  return rows.map(({ account_id, at, ended }) => {
    return { accountId: account_id, atMs: at, isEnded: ended !== null };
  });
}

/**
 * Does some work unless the account was made again, which waits for the end of the work.
 * @returns whether it was done.
 */
export function whileDeleted(
  { database }: ControlEngine,
  accountId: string,
  work: () => Promise<void>,
): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    if ((await lockDeletion(transaction, accountId)) === undefined) return false;
    const accounts = transaction.selectFrom("accounts").select("id");
    const account = await accounts.where("id", "=", accountId).executeTakeFirst();
    if (account !== undefined) return false;
    await work();
    return true;
  });
}

/** Overwrites what was deleted in control's own files; answers and facts are gone. */
export async function endDeletion(
  { database, overwriteDeleted }: ControlEngine,
  accountId: string,
  now: number,
): Promise<void> {
  await overwriteDeleted();
  await database
    .updateTable("deletions")
    .set({ ended: now })
    .where("account_id", "=", accountId)
    .execute();
}

/** Forgets the deletions that were noted before, and have ended. */
export async function forgetDeletions({ database }: ControlEngine, beforeMs: number) {
  await database
    .deleteFrom("deletions")
    .where("at", "<", beforeMs)
    .where("ended", "is not", null)
    .execute();
}

/**
 * To be called when an account was made: what is left of one with its id must be gone by then. Its
 * revision goes on after the last one of that, which caches may know.
 * @throws BeingDeletedError.
 */
export async function requireDeleted(
  database: ControlEngine["database"],
  accountId: string,
): Promise<void> {
  const before = await lockDeletion(database, accountId);
  if (before === undefined) return;
  if (before.ended === null) throw new BeingDeletedError(accountId);
  await database
    .updateTable("accounts")
    .set({ revision: before.revision + 1 })
    .where("id", "=", accountId)
    .execute();
}

/** Reads a deletion; nobody else does until the end of the transaction: a write locks it. */
function lockDeletion(database: ControlEngine["database"], accountId: string) {
  return database
    .updateTable("deletions")
    .set((row) => ({ at: row.ref("at") }))
    .where("account_id", "=", accountId)
    .returning(["revision", "ended"])
    .executeTakeFirst();
}
