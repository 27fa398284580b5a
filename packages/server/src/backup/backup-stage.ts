import { existsSync, mkdtempSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { takeExclusiveLock } from "../platform/sqlite.ts";

/** A hidden folder beside a backup's target, in which the backup is made. */
export interface BackupStage {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const lockName = "lock";
/** What mkdtemp puts behind the beginning of a name. */
const randomCharacters = 6;

/**
 * Makes the stage of a backup, for its owner alone, and removes what killed backups to the same
 * target left: the stages whose lock nobody holds. A lock ends with its process, however it ends.
 */
export async function openBackupStage(target: string): Promise<BackupStage> {
  const beginning = join(dirname(resolve(target)), `.${basename(target)}-`);
  await removeStaleStages(beginning);
  const path = mkdtempSync(beginning);
  const lock = takeExclusiveLock(join(path, lockName));
  return {
    path,
    remove: async () => {
      lock?.close();
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeStaleStages(beginning: string): Promise<void> {
  const name = basename(beginning);
  for (const each of await readdir(dirname(beginning))) {
    const isStage = each.startsWith(name) && each.length === name.length + randomCharacters;
    const path = join(dirname(beginning), each);
    // Without a lock it is a folder of somebody else, or of a backup that is just beginning.
    if (!isStage || !existsSync(join(path, lockName))) continue;
    const lock = takeExclusiveLock(join(path, lockName));
    lock?.close();
    if (lock !== null) await rm(path, { recursive: true, force: true });
  }
}
