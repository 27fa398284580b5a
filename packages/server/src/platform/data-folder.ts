import { existsSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isInUse, stagesOf } from "./stage.ts";

/**
 * The files of a data folder. Each account has its own folder, so that deleting, exporting and
 * backing up an account are file operations, and no statement can reach another account's rows.
 */
export interface DataFolder {
  readonly root: string;
  readonly control: string;
  /** Locked exclusively by the serving process. */
  readonly serverLock: string;
  /** The files that the serving process has open, for other commands; absent while none serves. */
  readonly serverFiles: string;
  /**
   * Random bytes under which keys are hashed; outside the database, so a copy of that is not
   * enough.
   */
  readonly pepper: string;
  /** Where an account's files are; they are made with its first answer. */
  readonly account: (accountId: string) => AccountFiles;
}

/** The files of one account. */
export interface AccountFiles {
  readonly folder: string;
  readonly answers: string;
  readonly facts: string;
  /** Facts of a rebuild in progress; renamed when they are complete. */
  readonly nextFacts: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The folder of the accounts, in a data folder. */
export const accountsName = "accounts";

/** The beginning of the name of a restore's stage. */
export function restoreStage(root: string): string {
  return join(root, ".restoring-");
}

/**
 * The data folder at `path`, created (readable by its owner only) when it is absent. Its paths are
 * absolute: DuckDB would read a relative one such as `md:x` as a URL.
 * @throws while a backup is being restored into it.
 */
export function openDataFolder(path: string): DataFolder {
  const root = resolve(path);
  requireRestored(root);
  mkdirSync(join(root, accountsName), { recursive: true, mode: 0o700 });
  // A restore that did not see this folder of accounts has created its stage by now.
  requireRestored(root);
  return {
    root,
    control: controlOf(root),
    serverLock: join(root, "server.lock"),
    serverFiles: join(root, "server.json"),
    pepper: join(root, "pepper"),
    account: (accountId) => accountFiles(root, accountId),
  };
}

function controlOf(root: string): string {
  return join(root, "control.sqlite");
}

/** A restore moves control to its place last. */
function requireRestored(root: string): void {
  if (existsSync(controlOf(root)) || !existsSync(root)) return;
  const [stage] = stagesOf(restoreStage(root));
  if (stage === undefined) return;
  throw new Error(
    isInUse(stage)
      ? `A backup is being restored into ${root}. Wait until the restore has ended.`
      : `A restore into ${root} was interrupted. Delete what it left, and repeat the restore.`,
  );
}

function accountFiles(root: string, accountId: string): AccountFiles {
  // An id becomes a path: only a lower-case UUID may pass.
  if (!uuid.test(accountId)) throw new Error(`not an account id: ${JSON.stringify(accountId)}`);
  const folder = join(root, accountsName, accountId);
  return {
    folder,
    answers: join(folder, "answers.sqlite"),
    facts: join(folder, "facts.duckdb"),
    nextFacts: join(folder, "facts.next.duckdb"),
  };
}

/**
 * Makes a folder that its owner alone can read; does nothing when it is there. Not its parents: a
 * data folder that was moved away while it is served is not made again.
 */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(path)) throw error; // otherwise another process has just created it
  }
}
