import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync, statfsSync } from "node:fs";
import { dirname, join } from "node:path";
import { addAbortSignal, PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createZstdDecompress } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import {
  type Manifest,
  type ManifestFile,
  manifestBytesMax,
  manifestName,
  parseManifest,
} from "./manifest.ts";

/** A backup that cannot be restored; nothing was changed. */
export class RestoreError extends Error {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.name = "RestoreError";
  }
}

/**
 * Unpacks a backup into a new folder: exactly the files of its manifest, readable by the owner
 * only. A backup is untrusted input: an entry is rejected before it is written unless the manifest,
 * which comes first, lists it with its size. Owners and modes are ignored.
 * @throws RestoreError
 */
export async function unpack(source: string, folder: string): Promise<Manifest> {
  let manifest: Manifest | null = null;
  const missing = new Map<string, ManifestFile>();
  await eachEntry(source, async (entry) => {
    if (manifest === null) {
      manifest = await manifestOf(entry, source);
      requireSpace(manifest, folder);
      for (const file of manifest.files) missing.set(file.path, file);
      return;
    }
    const file = missing.get(entry.path);
    if (file === undefined || !entry.isFile) {
      const name = JSON.stringify(entry.path);
      throw new RestoreError(
        `${source} holds ${name} twice, or its ${manifestName} does not name it.`,
      );
    }
    missing.delete(entry.path);
    await unpackFile(entry, file, { source, target: join(folder, file.path) });
  });
  if (manifest === null) throw notBackup(source, "it is empty");
  const [lacking] = missing.keys();
  if (lacking !== undefined) throw new RestoreError(`${source} is damaged: it lacks ${lacking}.`);
  return manifest;
}

/** An entry of an archive. */
interface Entry {
  readonly path: string;
  readonly isFile: boolean;
  readonly bytes: number;
  readonly content: Readable;
}

/** Passes on the entries of an archive one after another; the first failure ends it. */
async function eachEntry(source: string, take: (entry: Entry) => Promise<void>): Promise<void> {
  const stop = new AbortController();
  let taking = Promise.resolve();
  const onReadEntry = (entry: ReadEntry) => {
    // TRICKY: the reader of an entry that is destroyed before it is read would wait forever.
    const content = addAbortSignal(stop.signal, entry.pipe(new PassThrough()));
    content.on("error", () => undefined);
    const { path, type, size: bytes } = entry;
    taking = taking.then(() => take({ path, isFile: type === "File", bytes, content }));
    taking.catch((error: unknown) => stop.abort(error));
  };
  const parser = new Parser({ strict: true, onReadEntry });
  try {
    const { signal } = stop;
    await pipeline(createReadStream(source), createZstdDecompress(), parser, { signal });
    await taking;
  } catch (error) {
    stop.abort(error);
    await taking.catch(() => undefined);
    const { reason } = stop.signal;
    if (reason instanceof RestoreError) throw reason;
    throw notBackup(source, reason instanceof Error ? reason.message : String(reason), reason);
  }
}

async function manifestOf(entry: Entry, source: string): Promise<Manifest> {
  if (entry.path !== manifestName || !entry.isFile || entry.bytes > manifestBytesMax) {
    throw notBackup(source, `it does not begin with ${manifestName}`);
  }
  const manifest = parseManifest(await text(entry.content));
  if (typeof manifest === "string") throw notBackup(source, manifest);
  return manifest;
}

async function unpackFile(
  entry: Entry,
  { path, bytes, sha256 }: ManifestFile,
  { source, target }: { readonly source: string; readonly target: string },
): Promise<void> {
  const damaged = (what: string) => new RestoreError(`${source} is damaged: ${path} ${what}.`);
  if (entry.bytes !== bytes) {
    throw damaged(`has ${entry.bytes} bytes, and ${manifestName} says ${bytes}`);
  }
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  const hashed = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const file = createWriteStream(target, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(entry.content, hashed, file);
  if (hash.digest("hex") !== sha256) throw damaged("is not as it was written");
}

/** A list may claim any size, and a real backup may be too large for this disk. */
function requireSpace({ files }: Manifest, folder: string): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const disk = dirname(folder);
  const { bavail, bsize, blocks } = statfsSync(disk);
  // Some file systems report no sizes.
  if (blocks === 0 || bytes <= bavail * bsize) return;
  throw new RestoreError(
    `The backup needs ${bytes} bytes, and the disk of ${disk} has ${bavail * bsize} free.`,
  );
}

function notBackup(source: string, reason: string, cause?: unknown): RestoreError {
  return new RestoreError(`${source} is not a Sightline backup: ${reason}.`, { cause });
}
