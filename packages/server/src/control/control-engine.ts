import type { Actor } from "../platform/actor.ts";
import type { ControlDatabase } from "./database.ts";
import type { Leases } from "./leases.ts";

/** The location of control: the path of a SQLite file or the URL of a PostgreSQL database. */
export type ControlAddress = { readonly sqlite: string } | { readonly postgres: string };

/** Locks that serialize writers of several nodes. */
export type ControlLock =
  | "changes"
  | "signing keys"
  /** `isLong`: the writer computes for seconds between its statements. */
  | { readonly account: string; readonly isLong?: true }
  /** An account that goes, against all who add rows that refer to it; after its other lock. */
  | { readonly goingAccount: string }
  /** A person, against a removal while a membership, session or link is added. */
  | { readonly person: string }
  /** The audit log of an account: after all other locks, but before rows of what is revoked. */
  | { readonly auditOf: string }
  /** The spend ledger of an account. */
  | { readonly spendOf: string };

/** The port of control's engines: what differs between SQLite and PostgreSQL. */
export interface ControlEngine {
  /** In whose name it writes, as the audit log has it. */
  readonly actor: Actor;
  readonly database: ControlDatabase;
  /**
   * Changes whenever any process writes accounts, workspaces or keys: immediately for one data
   * folder, within seconds on several nodes.
   */
  readonly version: () => Promise<string>;
  /**
   * Changes the version after a write of this process, before the next read of it. Writers of
   * accounts, workspaces and keys use `writeVersioned`, which calls it.
   */
  readonly wrote: () => void;
  /** Runs writes that take locks in a transaction. SQLite has a single writer and does without. */
  readonly together: <Result>(
    work: (database: ControlDatabase) => Promise<Result>,
  ) => Promise<Result>;
  /**
   * Takes a lock until the end of the transaction. Lock an account before a person, people in the
   * order of their ids, and both before `changes`: the fixed order prevents deadlocks.
   */
  readonly lock: (database: ControlDatabase, lock: ControlLock) => Promise<void>;
  /** Whether the engine has row locks, and so concurrent writers. */
  readonly locksRows: boolean;
  /**
   * Pauses between the transactions of long work, so that others can write. A process that waits
   * for a SQLite file only polls it and would never find it free.
   */
  readonly giveWay: () => Promise<void>;
  /** The leases under which this node projects accounts. */
  readonly leases: Leases;
  /**
   * Invalidates an account's facts in a transaction; null: the facts are a file, which the caller
   * deletes.
   */
  readonly dropFacts: ((database: ControlDatabase, accountId: string) => Promise<void>) | null;
  /** Ends the leases of a deleted account; null: the engine has no leases. */
  readonly dropLeases: ((database: ControlDatabase, accountId: string) => Promise<void>) | null;
  /** Erases deleted rows from the engine's files, as far as the engine can. */
  readonly overwriteDeleted: () => Promise<void>;
  /**
   * Whether keys are hashed with the pepper of this fingerprint. The first of several nodes stores
   * its own; always true for a data folder.
   */
  readonly claimPepper: (fingerprint: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/**
 * Runs a write of accounts, workspaces or keys and changes the version, also when the write fails:
 * it may have been committed.
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

/** Runs work in a transaction: in that of the engine, if it is in one, or in a new one. */
export function withinTransaction<Result>(
  engine: ControlEngine,
  work: (within: ControlEngine) => Promise<Result>,
): Promise<Result> {
  if (engine.database.isTransaction) return work(engine);
  return engine.database.transaction().execute((database) => work({ ...engine, database }));
}

/** The same engine, for what `actor` changes. */
export function actingFor(engine: ControlEngine, actor: Actor): ControlEngine {
  return { ...engine, actor };
}
