import type { Clock } from "../platform/clock.ts";
import { type AccountSummary, accountStore, type DeclaredPrompt } from "./account-store.ts";
import { type ApplyReport, applyWorkspace } from "./apply-workspace.ts";
import { openControlDatabase } from "./database.ts";
import { type KeyRecord, keyStore, type NewKey } from "./key-store.ts";
import { type ProgressStore, progressStore } from "./progress-store.ts";
import { type SigningKeyRecord, signingKeyStore } from "./signing-key-store.ts";
import { type UsageCount, usageStore } from "./usage-store.ts";
import type { Entity, Workspace } from "./workspace.ts";

/** Who is served, what they track and with which keys they ask. The account comes first. */
export interface Control extends ProgressStore {
  /** Another value whenever control was written since, by this process or another. */
  readonly version: () => Promise<string>;
  /** Every account, by id. */
  readonly accounts: () => Promise<readonly AccountSummary[]>;
  /** Changes whenever the account's workspace changes; null when there is no such account. */
  readonly revision: (accountId: string) => Promise<number | null>;
  /** What the account currently tracks; null when there is no such account. */
  readonly workspace: (accountId: string) => Promise<Workspace | null>;
  /** The entities of the workspace alone, in the order of the series. */
  readonly entities: (accountId: string) => Promise<readonly Entity[]>;
  /** Every prompt the account ever declared, the retired too: their answers are still recorded. */
  readonly declaredPrompts: (accountId: string) => Promise<readonly DeclaredPrompt[]>;
  /**
   * Makes the account track exactly this, in one transaction; repeating it changes nothing. With
   * `dryRun` the report is the same, and nothing is written.
   */
  readonly apply: (
    accountId: string,
    workspace: Workspace,
    options?: { readonly dryRun?: boolean },
  ) => Promise<ApplyReport>;
  readonly createKey: (accountId: string, key: NewKey) => Promise<KeyRecord>;
  /** The keys of one account, or of all when null; oldest first. */
  readonly keys: (accountId: string | null) => Promise<readonly KeyRecord[]>;
  /** A key by its id, of any account: this finds a caller's account. */
  readonly key: (keyId: string) => Promise<KeyRecord | null>;
  /** Revokes a key now; null when there is none. Repeating it keeps the first time. */
  readonly revokeKey: (keyId: string) => Promise<KeyRecord | null>;
  readonly touchKey: (keyId: string) => Promise<void>;
  /** Calls of a key on a UTC day (days since 1970-01-01); 0 when none is stored. */
  readonly usage: (keyId: string, day: number) => Promise<number>;
  /** Saves counts, each replacing the stored one of its key and day. */
  readonly saveUsage: (counts: readonly UsageCount[]) => Promise<void>;
  /** The keys that sign sessions, newest first. */
  readonly signingKeys: () => Promise<readonly SigningKeyRecord[]>;
  readonly addSigningKey: (key: SigningKeyRecord) => Promise<void>;
  readonly dropSigningKey: (kid: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How control is opened. */
export interface ControlOptions {
  /**
   * How long a write waits for another process's before it fails; else half a minute. It waits
   * and blocks the thread: a service tries again later instead.
   */
  readonly writeWaitMs?: number;
}

/** Opens control in a SQLite file, which is made and migrated when need be. */
export async function openControl(
  path: string,
  clock: Clock,
  { writeWaitMs }: ControlOptions = {},
): Promise<Control> {
  const { database, connection } = await openControlDatabase(path);
  if (writeWaitMs !== undefined) connection.pragma(`busy_timeout = ${writeWaitMs}`);
  const dataVersion = connection.prepare("pragma data_version").pluck();
  const ownChanges = connection.prepare("select total_changes()").pluck();
  // Reading it takes and releases the file's lock: once per turn of the event loop is enough.
  let version: string | null = null;
  const versionOfTurn = async () => {
    if (version === null) {
      version = `${dataVersion.get()}/${ownChanges.get()}`;
      setImmediate(() => {
        version = null;
      });
    }
    return version;
  };
  return {
    version: versionOfTurn,
    ...accountStore(database),
    ...keyStore(database, clock),
    ...signingKeyStore(database),
    ...usageStore(database),
    ...progressStore(database, clock),
    apply: (accountId, workspace, options) =>
      applyWorkspace(database, { ...workspace, accountId }, { ...options, clock }),
    close: () => database.destroy(),
  };
}
