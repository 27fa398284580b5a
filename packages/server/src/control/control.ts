import type { Clock } from "../platform/clock.ts";
import { type AccountSummary, accountStore, type DeclaredPrompt } from "./account-store.ts";
import { type ApplyReport, applyWorkspace } from "./apply-workspace.ts";
import { openControlDatabase } from "./database.ts";
import { type KeyRecord, keyStore, type NewKey } from "./key-store.ts";
import { type SigningKeyRecord, signingKeyStore } from "./signing-key-store.ts";
import { type UsageCount, usageStore } from "./usage-store.ts";
import type { Workspace } from "./workspace.ts";

/** Accounts, what they track, and their keys. Methods take the account first. */
export interface Control {
  /** Changes whenever control is written, by this process or another. */
  readonly version: () => string;
  /** Every account, by id. */
  readonly accounts: () => Promise<readonly AccountSummary[]>;
  /** Changes whenever the account's workspace changes; null when there is no such account. */
  readonly revision: (accountId: string) => Promise<number | null>;
  /** What the account currently tracks; null when there is no such account. */
  readonly workspace: (accountId: string) => Promise<Workspace | null>;
  /**
   * Every prompt that the account ever declared, including retired ones: their answers are
   * recorded.
   */
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
  /**
   * How long a write waits for another process's from now on, before it fails. SQLite blocks the
   * thread while it waits, so a service retries later instead.
   */
  readonly waitAtMost: (ms: number) => void;
  readonly close: () => Promise<void>;
}

/** Opens control in a SQLite file, which is created and migrated if necessary. */
export async function openControl(path: string, clock: Clock): Promise<Control> {
  const { database, connection } = await openControlDatabase(path);
  const dataVersion = connection.prepare("pragma data_version").pluck();
  const ownChanges = connection.prepare("select total_changes()").pluck();
  // Reading it takes and releases the file's lock: once per turn of the event loop is enough.
  let version: string | null = null;
  const versionOfTurn = () => {
    if (version === null) {
      version = `${dataVersion.get()}/${ownChanges.get()}`;
      setImmediate(() => {
        version = null;
      });
    }
    return version;
  };
  return {
    waitAtMost: (ms) => void connection.pragma(`busy_timeout = ${Math.round(ms)}`),
    version: versionOfTurn,
    ...accountStore(database),
    ...keyStore(database, clock),
    ...signingKeyStore(database),
    ...usageStore(database),
    apply: (accountId, workspace, options) =>
      applyWorkspace(database, { ...workspace, accountId }, { ...options, clock }),
    close: () => database.destroy(),
  };
}
