import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { forgetProjected } from "../../accounts/progress-store.ts";
import { openControl } from "../../control/control.ts";
import { systemClock } from "../../platform/clock.ts";
import { accountsName, restoreStage } from "../../platform/data-folder.ts";
import { isInUse, openStage, stagesOf } from "../../platform/stage.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { RestoreError, unpack } from "./unpack.ts";

/**
 * Creates a data folder from a backup. Every file is verified against the manifest before any is
 * moved to its place; control comes last, since a folder without it is not a data folder. Facts are
 * rebuilt when the folder is served. A failed restore removes what it created and nothing else.
 *
 * The files are staged inside the target, which may be a mount. While the stage exists and control
 * does not, no other command opens the folder. The process that creates the accounts' folder owns
 * the target: one of two restores, and none if a command came first.
 * @throws RestoreError when the folder has files already, or the backup is damaged.
 */
export async function restore(source: string, dataDir: string): Promise<Manifest> {
  const target = resolve(dataDir);
  requireEmpty(target);
  const isNew = mkdirSync(target, { recursive: true, mode: 0o700 }) !== undefined;
  try {
    const stage = openStage(restoreStage(target));
    try {
      return await fill(target, { source, files: join(stage.path, "files") });
    } finally {
      await stage.remove();
    }
  } catch (error) {
    if (isNew) removeIfEmpty(target);
    throw error;
  }
}

async function fill(
  target: string,
  { source, files }: { readonly source: string; readonly files: string },
): Promise<Manifest> {
  const accounts = join(target, accountsName);
  claim(accounts, target);
  try {
    requireEmpty(target);
    mkdirSync(files, { mode: 0o700 });
    const manifest = await unpack(source, files);
    await forgetFacts(join(files, "control.sqlite"));
    for (const { path } of controlLast(manifest.files)) {
      mkdirSync(dirname(join(target, path)), { recursive: true, mode: 0o700 });
      renameSync(join(files, path), join(target, path));
    }
    return manifest;
  } catch (error) {
    // The stage itself is removed last: it keeps other commands away.
    await rm(files, { recursive: true, force: true });
    removeIfEmpty(accounts);
    throw error;
  }
}

/** A backup has no facts: the server that starts on the folder builds those of every account. */
async function forgetFacts(path: string): Promise<void> {
  const control = await openControl({ sqlite: path }, systemClock);
  try {
    await forgetProjected(control, null);
  } finally {
    await control.close();
  }
}

function claim(accounts: string, target: string): void {
  try {
    mkdirSync(accounts, { mode: 0o700 });
  } catch (error) {
    if (!existsSync(accounts)) throw error;
    const stages = stagesOf(restoreStage(target));
    if (stages.filter(isInUse).length > 1) {
      throw new RestoreError(`Another restore into ${target} is running. Wait until it has ended.`);
    }
    if (stages.length > 1) {
      throw new RestoreError(
        `A restore into ${target} was interrupted. Delete what it left, and repeat the restore.`,
      );
    }
    throw notEmpty(target);
  }
}

/**
 * Except for what a restore creates before it unpacks, which the process that claims the target
 * distinguishes.
 */
function requireEmpty(target: string): void {
  if (!existsSync(target)) return;
  const stages = stagesOf(restoreStage(target));
  const own = new Set([...stages, join(target, accountsName)]);
  if (readdirSync(target).some((name) => !own.has(join(target, name)))) throw notEmpty(target);
}

function notEmpty(target: string): RestoreError {
  return new RestoreError(`${target} is not empty. Give --data-dir a new folder.`);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Its contents do not belong to this restore.
  }
}

function controlLast(files: readonly ManifestFile[]): readonly ManifestFile[] {
  return files.toSorted((a, b) => Number(isControl(a)) - Number(isControl(b)));
}

function isControl({ path }: ManifestFile): boolean {
  return path === "control.sqlite";
}
