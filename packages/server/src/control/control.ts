import { type AccountDeletions, accountDeletions } from "../accounts/account-deletions.ts";
import { type AccountStore, accountStore } from "../accounts/account-store.ts";
import {
  type ApplyOptions,
  type ApplyReport,
  applyWorkspace,
} from "../accounts/apply-workspace.ts";
import { type ProgressStore, progressStore } from "../accounts/progress-store.ts";
import type { Workspace } from "../accounts/workspace.ts";
import { type ImportStore, importStore } from "../answers/import-store.ts";
import type { CollectionStore } from "../collection/store/collection-store.ts";
import { storedCollection } from "../collection/store/stored-collection.ts";
import { type KeyStore, keyStore } from "../keys/key-store.ts";
import { type KeyUsageStore, usageStore } from "../keys/limits/usage-store.ts";
import type { Clock } from "../platform/clock.ts";
import { type ControlAddress, type ControlEngine, noted } from "./control-engine.ts";
import { openSqliteEngine } from "./sqlite-engine.ts";

/**
 * The accounts, what they track and with which keys they ask: the engine that holds it, over which
 * capabilities have functions of their own, and the others' members. The account comes first.
 */
export interface Control
  extends ControlEngine,
    AccountStore,
    KeyStore,
    KeyUsageStore,
    ProgressStore,
    ImportStore,
    CollectionStore,
    AccountDeletions {
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
  return {
    ...engine,
    ...accountStore(engine.database),
    ...keyStore(engine, clock),
    ...usageStore(engine.database),
    ...progressStore(engine, clock),
    ...importStore(engine, clock),
    ...storedCollection(engine, clock),
    ...accountDeletions(engine, clock),
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
