import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { takeExclusiveLock } from "./sqlite.ts";

/** A command's own hidden folder, in which it prepares what is then renamed into place. */
export interface Stage {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const lockName = "lock";
/** The characters that mkdtemp appends to a name. */
const randomCharacters = 6;

/** Creates a stage that only its owner can read. Its lock ends with its process, in any case. */
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

/** The stages whose names begin with `beginning`. */
export function stagesOf(beginning: string): readonly string[] {
  const name = basename(beginning);
  return readdirSync(dirname(beginning))
    .filter((each) => each.startsWith(name) && each.length === name.length + randomCharacters)
    .map((each) => join(dirname(beginning), each));
}

/** Whether the command that created a stage is still running. */
export function isInUse(stage: string): boolean {
  const path = join(stage, lockName);
  if (!existsSync(path)) return isBeingCreated(stage);
  const lock = takeExclusiveLock(path);
  lock?.close();
  return lock === null;
}

/** A stage gets its lock within moments; one that is older and has none is of a killed command. */
const createdWithinMs = 60_000;

function isBeingCreated(stage: string): boolean {
  try {
    readdirSync(stage);
    return Date.now() - statSync(stage).mtimeMs < createdWithinMs;
  } catch {
    return true; // it belongs to another user
  }
}

/** Removes the stages of killed commands. */
export async function removeStaleStages(beginning: string): Promise<void> {
  for (const stage of stagesOf(beginning)) {
    if (!isInUse(stage)) await rm(stage, { recursive: true, force: true });
  }
}
