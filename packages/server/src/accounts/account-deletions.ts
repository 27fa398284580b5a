import { type ControlEngine, noted } from "../control/control-engine.ts";
import type { ControlTables } from "../control/schema.ts";
import type { Clock } from "../platform/clock.ts";

/** An account that was deleted. */
export interface Deletion {
  readonly accountId: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** Whether its files were removed; otherwise the deletion goes on, or broke off. */
  readonly isEnded: boolean;
}

/** Deletes accounts. The account comes first. */
export interface AccountDeletions {
  /**
   * Removes an account with all that control has of it, its keys too, in one transaction, and notes
   * that its answers and facts are to go. @returns false when there is no such account.
   */
  readonly deleteAccount: (accountId: string) => Promise<boolean>;
  /** Those noted lately, oldest first. */
  readonly deletions: () => Promise<readonly Deletion[]>;
  /**
   * Does some work unless the account was made again, which waits for the end of the work.
   * @returns whether it was done.
   */
  readonly whileDeleted: (accountId: string, work: () => Promise<void>) => Promise<boolean>;
  /** Overwrites what was deleted in control's own files; answers and facts are gone. */
  readonly endDeletion: (accountId: string) => Promise<void>;
  /** Forgets the deletions that are older. */
  readonly forgetDeletions: (olderThanMs: number) => Promise<void>;
}

/** An account is being deleted, and cannot be made again before that has ended. */
export class BeingDeletedError extends Error {
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
const ownedTables: Readonly<Record<Exclude<OwnedTable, "deletions">, true>> = {
  ...{ recordings: true, imports: true, moves: true, hook_deliveries: true, hooks: true },
  ...{ sweep_parts: true, jobs: true, sweeps: true },
  ...{ spend: true, spend_holds: true, spend_doubts: true },
  ...{ schedules: true, console_sessions: true },
  ...{ entities: true, topics: true, prompts: true, keys: true },
};

/** Deletions in control. */
export function accountDeletions(engine: ControlEngine, clock: Clock): AccountDeletions {
  const { database, dropLeases, overwriteDeleted, lock } = engine;
  const deleted = (accountId: string) =>
    database.transaction().execute(async (transaction) => {
      await lock(transaction, { account: accountId });
      const accounts = transaction.selectFrom("accounts").select("revision");
      const account = await accounts.where("id", "=", accountId).executeTakeFirst();
      if (account === undefined) return false;
      const keys = transaction.selectFrom("keys").select("id");
      await transaction
        .deleteFrom("key_usage")
        .where("key_id", "in", keys.where("account_id", "=", accountId))
        .execute();
      for (const table of Object.keys(ownedTables) as (keyof typeof ownedTables)[]) {
        await transaction.deleteFrom(table).where("account_id", "=", accountId).execute();
      }
      await dropLeases?.(transaction, accountId);
      await transaction.deleteFrom("accounts").where("id", "=", accountId).execute();
      const noted = { at: clock.now(), revision: account.revision, ended: null };
      await transaction
        .insertInto("deletions")
        .values({ account_id: accountId, ...noted })
        .onConflict((conflict) => conflict.column("account_id").doUpdateSet(noted))
        .execute();
      return true;
    });
  return {
    deleteAccount: (accountId) => noted(engine, () => deleted(accountId)),
    deletions: async () => {
      const rows = await database
        .selectFrom("deletions")
        .select(["account_id", "at", "ended"])
        .orderBy("at")
        .orderBy("account_id")
        .execute();
      return rows.map(({ account_id, at, ended }) => {
        return { accountId: account_id, atMs: at, isEnded: ended !== null };
      });
    },
    whileDeleted: (accountId, work) =>
      database.transaction().execute(async (transaction) => {
        if ((await lockDeletion(transaction, accountId)) === undefined) return false;
        const accounts = transaction.selectFrom("accounts").select("id");
        const account = await accounts.where("id", "=", accountId).executeTakeFirst();
        if (account !== undefined) return false;
        await work();
        return true;
      }),
    endDeletion: async (accountId) => {
      await overwriteDeleted();
      await database
        .updateTable("deletions")
        .set({ ended: clock.now() })
        .where("account_id", "=", accountId)
        .execute();
    },
    forgetDeletions: async (olderThanMs) => {
      await database
        .deleteFrom("deletions")
        .where("at", "<", clock.now() - olderThanMs)
        .where("ended", "is not", null)
        .execute();
    },
  };
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
