import { isUtf8 } from "node:buffer";
import { type FileHandle, open, rm } from "node:fs/promises";
import type { RejectedLine } from "@sightline/server/import-answers";

/**
 * The lines that an import refused, as NDJSON: the line's number, why, and the line itself, so that
 * it can be mended and imported again. The file is made with the first such line; one that an
 * earlier import left is removed.
 */
export class RejectedFile {
  readonly #path: string;
  #file: FileHandle | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Where the lines are; null when none was refused. */
  get path(): string | null {
    return this.#file === null ? null : this.#path;
  }

  async begin(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async add({ line, reason, errors, bytes }: RejectedLine): Promise<void> {
    this.#file ??= await open(this.#path, "w", 0o600);
    const record = { line, reason, errors, ...inputOf(bytes) };
    await this.#file.write(`${JSON.stringify(record)}\n`);
  }

  /** Puts everything on the disk. */
  async end(): Promise<void> {
    await this.#file?.sync();
    await this.#file?.close();
  }
}

function inputOf(bytes: Buffer | null) {
  if (bytes === null) return { input: null };
  return isUtf8(bytes) ? { input: bytes.toString() } : { inputBase64: bytes.toString("base64") };
}
