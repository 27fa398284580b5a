import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { takeExclusiveLock } from "./sqlite.ts";

/** A hidden folder of a command's own, in which it prepares what then appears under its name. */
export interface Stage {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const lockName = "lock";
/** What mkdtemp puts behind the beginning of a name. */
const randomCharacters = 6;

/** Makes a stage for its owner alone. Its lock ends with its process, however that ends. */
export function openStage(beginning: string): Stage {
  const path = mkdtempSync(beginning);
  try {
    const lock = takeExclusiveLock(join(path, lockName));
    return {
      path,
      remove: async () => {
        lock?.close();
        await rm(path, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

/** The stages whose names begin so. */
export function stagesOf(beginning: string): readonly string[] {
  const name = basename(beginning);
  return readdirSync(dirname(beginning))
    .filter((each) => each.startsWith(name) && each.length === name.length + randomCharacters)
    .map((each) => join(dirname(beginning), each));
}

/** Whether the command that made a stage still runs. */
export function isInUse(stage: string): boolean {
  const path = join(stage, lockName);
  if (!existsSync(path)) return true; // it is being made, or it is a folder of somebody else
  const lock = takeExclusiveLock(path);
  lock?.close();
  return lock === null;
}

/** Removes the stages whose commands were killed. */
export async function removeStaleStages(beginning: string): Promise<void> {
  for (const stage of stagesOf(beginning)) {
    if (!isInUse(stage)) await rm(stage, { recursive: true, force: true });
  }
}
