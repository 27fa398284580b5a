import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { dateTimeSchema } from "@sightline/contract";
import { Header } from "tar";
import { z } from "zod";

/**
 * An archive is a tar file of which every byte is known beforehand but the contents: the manifest,
 * its signature, then the files that the manifest lists, in its order. The tar file itself is not
 * compressed, so that a byte that was flipped is of one file, which can be named.
 */

/** The file that lists the others; the first. */
export const manifestName = "manifest.json";
/** The manifest signed, as a JWS; the second. */
export const signatureName = "manifest.jws";
/** What its header says that it is. */
export const signatureType = "sightline-frozen";
/** The name of what is in no file of the archive: tar's own bytes. */
export const archiveName = "the archive";
/** Names of the files with a place of their own. */
export const frozenNames = {
  workspace: "workspace.json",
  versions: "versions.json",
  domains: "domains.json",
  answers: "answers.ndjson.gz",
  parquet: "answers.parquet",
} as const;

/** A file of the manifest is small: it lists some forty. */
const manifestBytesMax = 1024 * 1024;
const blockBytes = 512;

const range = z.strictObject({ from: dateTimeSchema, to: dateTimeSchema });
const names: readonly string[] = Object.values(frozenNames);
/** A file that is read whole: a workspace file has at most 32 MiB. */
const fileBytesMax = 64 * 1024 * 1024;
const isLarge = (path: string) => path === frozenNames.answers || path === frozenNames.parquet;
const boardFile = /^board\/\d\d-[a-z-]{1,40}\.(?:request|reply)\.json$/;

const manifestSchema = z.strictObject({
  format: z.literal("sightline-frozen"),
  version: z.literal(1),
  createdAt: dateTimeSchema,
  account: z.strictObject({ id: z.guid(), name: z.string() }),
  timeRange: range,
  compare: range,
  answers: z.strictObject({ frozen: z.int().min(0), ofRetiredPrompts: z.int().min(0) }),
  files: z
    .array(
      z.strictObject({
        path: z.string().refine((path) => names.includes(path) || boardFile.test(path)),
        bytes: z.int().min(0),
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(200)
    .refine((files) => new Set(files.map(({ path }) => path)).size === files.length)
    .refine((files) => files.every(({ path, bytes }) => isLarge(path) || bytes <= fileBytesMax))
    .refine((files) => names.every((name) => files.some(({ path }) => path === name))),
});

/** What an archive holds, and of whom. Instants are RFC 3339, UTC. */
export type FrozenManifest = Readonly<z.infer<typeof manifestSchema>>;

/** The manifest in a text; null when it is none. */
export function parseFrozenManifest(text: string): FrozenManifest | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** What is wrong with a file of an archive. */
export interface FrozenFault {
  /** Its path, or `the archive`. */
  readonly file: string;
  readonly fault: string;
}

/** A file that is not an archive, or whose structure is lost. */
export class FrozenArchiveError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "FrozenArchiveError";
  }
}

/** What is written first. */
export interface FrozenHead {
  readonly manifest: string;
  readonly jws: string;
}

/** Writes an archive of the files in a folder, and gives it its name once it is on the disk. */
export async function writeArchive(
  folder: string,
  target: string,
  { manifest, jws }: FrozenHead,
): Promise<void> {
  const { files, createdAt } = JSON.parse(manifest) as FrozenManifest;
  const chunks = async function* (): AsyncGenerator<Buffer> {
    for (const [path, text] of [
      [manifestName, manifest],
      [signatureName, jws],
    ] as const) {
      const content = Buffer.from(text);
      yield headerOf(path, content.length, createdAt);
      yield content;
      yield Buffer.alloc(paddingOf(content.length));
    }
    for (const { path, bytes } of files) {
      yield headerOf(path, bytes, createdAt);
      for await (const chunk of createReadStream(join(folder, path))) yield chunk as Buffer;
      yield Buffer.alloc(paddingOf(bytes));
    }
    yield Buffer.alloc(2 * blockBytes);
  };
  const partial = join(folder, "archive");
  await pipeline(Readable.from(chunks()), createWriteStream(partial, { mode: 0o600, flush: true }));
  await rename(partial, target);
}

/** The header of a file: its path, size and time alone. */
function headerOf(path: string, bytes: number, createdAt: string): Buffer {
  const block = Buffer.alloc(blockBytes);
  const mtime = new Date(createdAt);
  new Header({ path, size: bytes, mtime, mode: 0o644, type: "File" }).encode(block);
  return block;
}

function paddingOf(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

/** A file that is read whole before the manifest is known. */
export interface SmallFile {
  readonly path: string;
  readonly text: string;
  readonly bytes: number;
  readonly header: Buffer;
  /** Whether only zeros fill up its last block. */
  readonly isPadded: boolean;
}

/** Reads an archive from its start to its end. */
export class ArchiveReader {
  readonly #handle: FileHandle;
  #at = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  static async open(file: string): Promise<ArchiveReader> {
    return new ArchiveReader(await open(file));
  }

  /** The text of the next file, whose header tells its size. @throws FrozenArchiveError */
  async text(path: string): Promise<SmallFile> {
    const header = await this.#read(blockBytes);
    const bytes = sizeIn(header);
    if (bytes === null || bytes > manifestBytesMax) {
      throw new FrozenArchiveError(`the tar header of ${path} is damaged, or it is not an archive`);
    }
    const text = (await this.#read(bytes)).toString("utf8");
    return { path, text, bytes, header, isPadded: await this.isPadded(bytes) };
  }

  /** Whether the bytes that fill up the block of so long a file are zeros. */
  async isPadded(bytes: number): Promise<boolean> {
    return (await this.#read(paddingOf(bytes))).every((byte) => byte === 0);
  }

  /** Whether the next header is that of a file. */
  async hasHeader(path: string, bytes: number, createdAt: string): Promise<boolean> {
    return (await this.#read(blockBytes)).equals(headerOf(path, bytes, createdAt));
  }

  /** Copies the next file's content. @returns its SHA-256, hexadecimal. */
  async copy(bytes: number, target: string): Promise<string> {
    const hash = createHash("sha256");
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    await pipeline(
      Readable.from(this.#chunks(bytes, hash)),
      createWriteStream(target, { flags: "wx", mode: 0o600 }),
    );
    return hash.digest("hex");
  }

  async *#chunks(bytes: number, hash: Hash): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; ) {
      const chunk = await this.#read(Math.min(left, 1024 * 1024));
      hash.update(chunk);
      left -= chunk.length;
      yield chunk;
    }
  }

  /** Whether two empty blocks follow, and nothing else. */
  async isAtEnd(): Promise<boolean> {
    const end = await this.#read(2 * blockBytes);
    const { size } = await this.#handle.stat();
    return end.every((byte) => byte === 0) && size === this.#at;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }

  /** @throws FrozenArchiveError when the file has no more so many bytes. */
  async #read(bytes: number): Promise<Buffer> {
    if (bytes === 0) return Buffer.alloc(0); // which node:fs refuses to fill
    const { buffer, bytesRead } = await this.#handle.read({
      buffer: Buffer.alloc(bytes),
      position: this.#at,
    });
    this.#at += bytesRead;
    if (bytesRead !== bytes) throw new FrozenArchiveError("it ends too early");
    return buffer;
  }
}

/** The size that a header tells; null when it is damaged. */
function sizeIn(header: Buffer): number | null {
  try {
    const { size, cksumValid } = new Header(header);
    return cksumValid ? (size ?? null) : null;
  } catch {
    return null;
  }
}

/** Whether the header of a file that tells its size itself is as it was written. */
export function isOwnHeader({ header, path, bytes }: SmallFile, createdAt: string): boolean {
  return header.equals(headerOf(path, bytes, createdAt));
}
