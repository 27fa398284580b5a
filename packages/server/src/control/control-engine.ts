import type { ControlDatabase } from "./database.ts";
import type { Leases } from "./leases.ts";

/** Where control is: a SQLite file, or a database of PostgreSQL. */
export type ControlAddress = { readonly sqlite: string } | { readonly postgres: string };

/** What writers of several nodes wait for each other at. */
export type ControlLock =
  | "changes"
  | "signing keys"
  /** `isLong`: what the writer computes between its statements takes seconds. */
  | { readonly account: string; readonly isLong?: true }
  /** What an account spends. */
  | { readonly spendOf: string };

/** What differs between the engines that hold control. */
export interface ControlEngine {
  readonly database: ControlDatabase;
  /**
   * Another value whenever accounts, workspaces or keys were written since, by this process or
   * another: immediately in one data folder, and within seconds on several nodes.
   */
  readonly version: () => Promise<string>;
  /**
   * Says that this process wrote what the version is of: it changes before anybody asks again. A
   * function that writes accounts, workspaces or keys writes in `writeVersioned`, which calls it.
   */
  readonly wrote: () => void;
  /** Runs writes that take locks in a transaction; SQLite has one writer, and needs none. */
  readonly together: <Result>(
    work: (database: ControlDatabase) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Waits for other writers, until the end of the transaction. An account comes before `changes`:
   * in one order, nobody waits for each other.
   */
  readonly lock: (database: ControlDatabase, lock: ControlLock) => Promise<void>;
  /** Whether rows are locked one by one: several connections write at the same time. */
  readonly locksRows: boolean;
  /**
   * Between transactions of long work: lets others write. A process that waits for a
   * SQLite file only looks at it now and then, and would never find it free.
   */
  readonly giveWay: () => Promise<void>;
  /** Which accounts this node may project. */
  readonly leases: Leases;
  /**
   * Takes an account's facts out of force, in a transaction; null: they are in a file, which who
   * forgets them deletes.
   */
  readonly dropFacts: ((database: ControlDatabase, accountId: string) => Promise<void>) | null;
  /** Ends the leases of an account that is deleted; null: there are none. */
  readonly dropLeases: ((database: ControlDatabase, accountId: string) => Promise<void>) | null;
  /** Leaves nothing of deleted rows in the engine's own files, as far as it can be told to. */
  readonly overwriteDeleted: () => Promise<void>;
  /**
   * Whether keys are hashed under the pepper of this fingerprint. The first of several nodes notes
   * its own; in a data folder of one node it always is.
   */
  readonly claimPepper: (fingerprint: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/**
 * Does a write of what the version is of. The version changes before it returns, also when it
 * fails: it may have been written all the same.
 */
export async function writeVersioned<Result>(
  { wrote }: Pick<ControlEngine, "wrote">,
  write: () => Promise<Result>,
): Promise<Result> {
  try {
    return await write();
  } finally {
    wrote();
  }
}
