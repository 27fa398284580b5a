import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { extract } from "tar";
import { hashOfFile, type Manifest, manifestName } from "./manifest.ts";

/** A backup that cannot be restored; nothing was changed. */
export class RestoreError extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "RestoreError";
  }
}

/** The only paths that a backup may hold: it comes from outside. */
const allowedPath = /^(control\.sqlite|pepper|accounts\/[0-9a-f-]{36}\/answers\.sqlite)$/;

/**
 * Makes a data folder of a backup. Every file is compared with the manifest before the folder
 * appears under its name; the facts are built when it is served.
 * @throws RestoreError when the folder has files already, or the backup is damaged.
 */
export async function restore(source: string, dataDir: string): Promise<Manifest> {
  const target = resolve(dataDir);
  if (existsSync(target) && readdirSync(target).length > 0) {
    throw new RestoreError(`${dataDir} is not empty. Give --data-dir a folder that is new.`);
  }
  const stage = `${target}.restoring`;
  await rm(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  try {
    await unpack(source, stage);
    const manifest = await verified(stage);
    await rm(join(stage, manifestName));
    mkdirSync(join(stage, "accounts"), { recursive: true, mode: 0o700 });
    await rm(target, { recursive: true, force: true }); // empty, or not there
    await rename(stage, target);
    return manifest;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
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
  const manifestPath = join(stage, manifestName);
  if (!existsSync(manifestPath)) throw new RestoreError("The file is no backup of Sightline.");
  const manifest = JSON.parse(readFileSync(manifestPath, "utf8")) as Manifest;
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
