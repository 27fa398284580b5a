import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar";
import { hashOfFile, type Manifest, type ManifestFile, manifestName } from "./manifest.ts";

/** A backup that cannot be restored; nothing was changed. */
export class RestoreError extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "RestoreError";
  }
}

/** The only paths that a backup may hold: it comes from outside. */
const allowedPath = /^(control\.sqlite|pepper|accounts\/[0-9a-f-]{36}\/answers\.sqlite)$/;
/** Inside the target, which may be a mount of its own that cannot be renamed. */
const stageName = ".restoring";

/**
 * Makes a data folder of a backup. Every file is compared with the manifest before any is put in
 * its place; control comes last, without which a folder holds no data. The facts are built when it
 * is served.
 * @throws RestoreError when the folder has files already, or the backup is damaged.
 */
export async function restore(source: string, dataDir: string): Promise<Manifest> {
  const target = resolve(dataDir);
  const isNew = !existsSync(target);
  if (!isNew && readdirSync(target).some((name) => name !== stageName)) {
    throw new RestoreError(`${dataDir} is not empty. Give --data-dir a folder that is new.`);
  }
  const stage = join(target, stageName);
  try {
    await rm(stage, { recursive: true, force: true });
    mkdirSync(stage, { recursive: true, mode: 0o700 });
    await unpack(source, stage);
    const manifest = await verified(stage);
    mkdirSync(join(target, "accounts"), { mode: 0o700 });
    for (const { path } of controlLast(manifest.files)) {
      mkdirSync(dirname(join(target, path)), { recursive: true, mode: 0o700 });
      renameSync(join(stage, path), join(target, path));
    }
    await rm(stage, { recursive: true, force: true });
    return manifest;
  } catch (error) {
    await rm(isNew ? target : stage, { recursive: true, force: true });
    throw error;
  }
}

function controlLast(files: readonly ManifestFile[]): readonly ManifestFile[] {
  return files.toSorted((a, b) => Number(isControl(a)) - Number(isControl(b)));
}

function isControl({ path }: ManifestFile): boolean {
  return path === "control.sqlite";
}

async function unpack(source: string, stage: string): Promise<void> {
  try {
    await pipeline(
      createReadStream(source),
      createZstdDecompress(),
      extract({
        cwd: stage,
        strict: true,
        filter: (path, entry) =>
          "type" in entry &&
          entry.type === "File" &&
          (path === manifestName || allowedPath.test(path)),
      }),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RestoreError(`${source} cannot be read as a backup: ${reason}`, { cause: error });
  }
}

async function verified(stage: string): Promise<Manifest> {
  const manifest = readManifest(stage);
  for (const { path, bytes, sha256 } of manifest.files) {
    const file = join(stage, path);
    const whole =
      allowedPath.test(path) &&
      existsSync(file) &&
      statSync(file).size === bytes &&
      (await hashOfFile(file)) === sha256;
    if (!whole) throw new RestoreError(`The backup is damaged: ${path} is not as it was written.`);
  }
  return manifest;
}

function readManifest(stage: string): Manifest {
  const path = join(stage, manifestName);
  if (!existsSync(path)) throw new RestoreError("The file is no backup of Sightline.");
  const manifest = JSON.parse(readFileSync(path, "utf8")) as Partial<Manifest>;
  if (manifest.version !== 1 || !Array.isArray(manifest.files)) {
    throw new RestoreError("The backup was written by a version that this one does not know.");
  }
  if (!manifest.files.some(isControl)) throw new RestoreError("The backup lacks control.sqlite.");
  return manifest as Manifest;
}
