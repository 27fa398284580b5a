import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { openControl } from "../control/control.ts";
import { systemClock } from "../platform/clock.ts";
import { accountsName, restoreStage } from "../platform/data-folder.ts";
import { isInUse, openStage, stagesOf } from "../platform/stage.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { RestoreError, unpack } from "./unpack.ts";

/**
 * Makes a data folder of a backup. Every file is compared with the manifest before any is put in
 * its place; control comes last, without which a folder holds no data. The facts are built when it
 * is served. A restore that fails removes what it made and nothing else.
 *
 * The files wait in a stage inside the target, which may be a mount of its own. As long as the
 * stage is there and control is not, no other command opens the folder. Whoever makes the folder of
 * the accounts has the target: of two restores one, and none beside a command that came first.
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
    // The stage itself goes last: it is what keeps other commands away.
    await rm(files, { recursive: true, force: true });
    removeIfEmpty(accounts);
    throw error;
  }
}

/** A backup has no facts: the server that starts on the folder builds those of every account. */
async function forgetFacts(path: string): Promise<void> {
  const control = await openControl(path, systemClock);
  try {
    await control.forgetProjected(null);
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

/** But for what a restore makes before it unpacks: who claims the target tells those apart. */
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
    // What is in it is not this restore's.
  }
}

function controlLast(files: readonly ManifestFile[]): readonly ManifestFile[] {
  return files.toSorted((a, b) => Number(isControl(a)) - Number(isControl(b)));
}

function isControl({ path }: ManifestFile): boolean {
  return path === "control.sqlite";
}
