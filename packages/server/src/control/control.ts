import type { Clock } from "../platform/clock.ts";
import { type AccountDeletions, accountDeletions } from "./account-deletions.ts";
import { type AccountSummary, accountStore, type DeclaredPrompt } from "./account-store.ts";
import { type ApplyOptions, type ApplyReport, applyWorkspace } from "./apply-workspace.ts";
import { storedCollection } from "./collection/stored-collection.ts";
import type { CollectionStore } from "./collection-store.ts";
import { type ControlAddress, type ControlEngine, noted } from "./control-engine.ts";
import { type ImportStore, importStore } from "./import-store.ts";
import { type KeyRecord, keyStore, type NewKey } from "./key-store.ts";
import { type ProgressStore, progressStore } from "./progress-store.ts";
import { openSqliteEngine } from "./sqlite-engine.ts";
import { type UsageCount, usageStore } from "./usage-store.ts";
import type { Entity, Workspace } from "./workspace.ts";

/**
 * Who is served, what they track and with which keys they ask: the engine that holds it, over which
 * capabilities have functions of their own, and the others' members. The account comes first.
 */
export interface Control
  extends ControlEngine,
    ProgressStore,
    ImportStore,
    CollectionStore,
    AccountDeletions {
  /** Every account, by id. */
  readonly accounts: () => Promise<readonly AccountSummary[]>;
  /** The account's name; null when there is no such account. */
  readonly accountName: (accountId: string) => Promise<string | null>;
  /** Changes whenever the account's workspace changes; null when there is no such account. */
  readonly revision: (accountId: string) => Promise<number | null>;
  /** Before which instant texts were removed, in milliseconds since 1970; null: none were. */
  readonly textsRemovedBefore: (accountId: string) => Promise<number | null>;
  /** Notes that texts before an instant were removed. */
  readonly noteTextsRemoved: (accountId: string, beforeMs: number) => Promise<void>;
  /** What the account currently tracks; null when there is no such account. */
  readonly workspace: (accountId: string) => Promise<Workspace | null>;
  /** The entities of the workspace alone, in the order of the series. */
  readonly entities: (accountId: string) => Promise<readonly Entity[]>;
  /** Every prompt the account ever declared, the retired too: their answers are still recorded. */
  readonly declaredPrompts: (accountId: string) => Promise<readonly DeclaredPrompt[]>;
  /**
   * Makes the account track exactly this, in one transaction; repeating it changes nothing. With
   * `dryRun` the report is the same, and nothing is written.
   * @throws WorkspaceChangedError when the workspace has none of the revisions `ifRevision`.
   */
  readonly apply: (
    accountId: string,
    workspace: Workspace,
    options?: Omit<ApplyOptions, "clock">,
  ) => Promise<ApplyReport>;
  readonly createKey: (accountId: string, key: NewKey) => Promise<KeyRecord>;
  /** The keys of one account, or of all when null; oldest first. */
  readonly keys: (accountId: string | null) => Promise<readonly KeyRecord[]>;
  /** An account's keys, oldest first; of more than `keysMax` the latest. */
  readonly latestKeys: (accountId: string, keysMax: number) => Promise<readonly KeyRecord[]>;
  /** How many of an account's keys are neither revoked nor expired. */
  readonly countValidKeys: (accountId: string) => Promise<number>;
  /** A key by its id, of any account: this finds a caller's account. */
  readonly key: (keyId: string) => Promise<KeyRecord | null>;
  /** Revokes a key now; null when there is none. Repeating it keeps the first time. */
  readonly revokeKey: (keyId: string) => Promise<KeyRecord | null>;
  readonly touchKey: (keyId: string) => Promise<void>;
  /** Calls of a key on a UTC day (days since 1970-01-01); 0 when none is stored. */
  readonly usage: (keyId: string, day: number) => Promise<number>;
  /** The calls of an account's keys on a UTC day, as last saved; a key without any is missing. */
  readonly usageOfDay: (accountId: string, day: number) => Promise<ReadonlyMap<string, number>>;
  /** As `UsageStore.addUsage` of the limits. */
  readonly addUsage: (counts: readonly UsageCount[]) => Promise<readonly UsageCount[]>;
}

/** How control is opened. */
export interface ControlOptions {
  /**
   * How long a write to a SQLite file waits for another process's before it fails; else half a
   * minute. It waits and blocks the thread: a service tries again later instead.
   */
  readonly writeWaitMs?: number;
  /** How long a statement in PostgreSQL may take; else a minute. */
  readonly statementMs?: number;
}

/** Opens control, whose tables are made and migrated when need be. */
export async function openControl(
  address: ControlAddress,
  clock: Clock,
  options: ControlOptions = {},
): Promise<Control> {
  const engine = await openEngine(address, clock, options);
  const { database } = engine;
  const keys = keyStore(database, clock);
  const deletions = accountDeletions(engine, clock);
  return {
    ...engine,
    ...accountStore(database),
    ...keys,
    createKey: (...key) => noted(engine, () => keys.createKey(...key)),
    revokeKey: (keyId) => noted(engine, () => keys.revokeKey(keyId)),
    ...usageStore(database),
    ...progressStore(engine, clock),
    ...importStore(engine, clock),
    ...storedCollection(engine, clock),
    ...deletions,
    deleteAccount: (accountId) => noted(engine, () => deletions.deleteAccount(accountId)),
    apply: (accountId, workspace, applied) => {
      const options = { ...applied, clock };
      return noted(engine, () => applyWorkspace(engine, { ...workspace, accountId }, options));
    },
  };
}

async function openEngine(
  address: ControlAddress,
  clock: Clock,
  { writeWaitMs, statementMs }: ControlOptions,
): Promise<ControlEngine> {
  if ("sqlite" in address) return openSqliteEngine(address.sqlite, writeWaitMs);
  // Its driver is loaded where it is used.
  const { openPostgresEngine } = await import("./postgres/postgres-engine.ts");
  return openPostgresEngine(address.postgres, clock, statementMs);
}
