import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The files of a data folder. An account is a folder, so that deleting, exporting and backing up a
 * tenant are file operations and no statement can reach another tenant's rows.
 */
export interface DataFolder {
  readonly root: string;
  readonly control: string;
  /** Held exclusively by the one serving process. */
  readonly serverLock: string;
  /** Which files the serving process has open, for the other commands; absent while none serves. */
  readonly serverFiles: string;
  /**
   * Random bytes under which keys are hashed; not in the database, so a copy of that is not enough.
   */
  readonly pepper: string;
  readonly account: (accountId: string) => AccountFiles;
}

/** The files of one account. */
export interface AccountFiles {
  readonly folder: string;
  readonly answers: string;
  readonly facts: string;
  /** Facts that are being rebuilt; swapped in when they are complete. */
  readonly nextFacts: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The data folder at `root`, made (readable by its owner alone) when it is absent. */
export function openDataFolder(root: string): DataFolder {
  mkdirSync(join(root, "accounts"), { recursive: true, mode: 0o700 });
  return {
    root,
    control: join(root, "control.sqlite"),
    serverLock: join(root, "server.lock"),
    serverFiles: join(root, "server.json"),
    pepper: join(root, "pepper"),
    account: (accountId) => accountFiles(root, accountId),
  };
}

function accountFiles(root: string, accountId: string): AccountFiles {
  // An id becomes a path: nothing but a lower-case UUID may pass.
  if (!uuid.test(accountId)) throw new Error(`not an account id: ${JSON.stringify(accountId)}`);
  const folder = join(root, "accounts", accountId);
  makeFolder(folder);
  return {
    folder,
    answers: join(folder, "answers.sqlite"),
    facts: join(folder, "facts.duckdb"),
    nextFacts: join(folder, "facts.next.duckdb"),
  };
}

/** Not its parents: a data folder that was moved away while it is served is not made anew. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error; // else another process has just made it
  }
}
