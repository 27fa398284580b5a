import { isUtf8 } from "node:buffer";
import { write } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { FieldError } from "@sightline/contract";
import type { RejectedLine } from "@sightline/server/import-answers";

const writeSome = promisify(write);

/** How long a full pipe is waited for. Node has nothing that tells when a descriptor takes more. */
const fullPipeMs = 10;

/** Characters of records per write; a single hostile line may have more. */
const writeCharacters = 256 * 1024;

/** A rejected line as it is saved. */
export interface SavedLine extends Omit<RejectedLine, "errors"> {
  /** A service tells no codes. */
  readonly errors: readonly (Omit<FieldError, "code"> & Partial<Pick<FieldError, "code">>)[];
}

/** A file or stream that `--rejected` names, for the rejected lines of every imported file. */
export interface RejectedTarget {
  readonly name: string;
  readonly descriptor: number;
}

/** What a file's rejected lines need. */
export interface RejectedLinesOptions {
  /** The imported file, as on the command line. */
  readonly file: string;
  /** Null: a new file beside the imported one, made with the first rejected line. */
  readonly target: RejectedTarget | null;
  readonly warn: (message: string) => void;
}

/**
 * The lines of one file that an import rejected, as NDJSON: file, number, reason, and the line
 * itself, so that it can be fixed and imported again. If the lines cannot be written, the import
 * continues and still counts them.
 */
export class RejectedLines {
  readonly #options: RejectedLinesOptions;
  #own: FileHandle | null = null;
  #path: string | null = null;
  #failed = false;

  constructor(options: RejectedLinesOptions) {
    this.#options = options;
  }

  /** The file with the lines; null when there are none. */
  get path(): string | null {
    return this.#path;
  }

  async add(lines: readonly SavedLine[]): Promise<void> {
    if (this.#failed) return;
    try {
      const descriptor = this.#options.target?.descriptor ?? (await this.#ownDescriptor());
      let records = "";
      for (const line of lines) {
        records += recordOf(this.#options.file, line);
        if (records.length < writeCharacters) continue;
        await writeTo(descriptor, records);
        records = "";
      }
      await writeTo(descriptor, records);
      this.#path ??= this.#options.target?.name ?? null;
    } catch (error) {
      this.#giveUp(error);
    }
  }

  /** Syncs its own file to the disk. */
  async end(): Promise<void> {
    try {
      await this.#own?.sync();
    } catch (error) {
      this.#giveUp(error);
    } finally {
      await this.#own?.close();
    }
  }

  async #ownDescriptor(): Promise<number> {
    if (this.#own === null) {
      const name = this.#options.file === "-" ? "stdin" : this.#options.file;
      [this.#own, this.#path] = await createBeside(`${name}.rejected`);
    }
    return this.#own.fd;
  }

  #giveUp(error: unknown): void {
    this.#failed = true;
    const { file, target } = this.#options;
    const place = this.#path ?? target?.name ?? "A file next to it";
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.warn(
      `${file}: rejected lines are counted but not saved. ${place} cannot be written: ${reason}. ` +
        "Name another file with --rejected FILE.",
    );
  }
}

/**
 * A new file. A file of an earlier import is not overwritten, since its lines may exist nowhere
 * else; concurrent imports get separate files.
 */
async function createBeside(name: string): Promise<[FileHandle, string]> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? name : `${name}.${number}`;
    try {
      return [await open(path, "wx", 0o600), path];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** By descriptor, from its current position, until all is written. */
async function writeTo(descriptor: number, text: string): Promise<void> {
  let left = Buffer.from(text);
  while (left.length > 0) {
    try {
      const { bytesWritten } = await writeSome(descriptor, left);
      left = left.subarray(bytesWritten);
    } catch (error) {
      // Node makes the pipe of standard output one that does not wait for a slow reader.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      await pause(fullPipeMs);
    }
  }
}

function recordOf(file: string, { line, reason, errors, bytes }: SavedLine): string {
  return `${JSON.stringify({ file, line, reason, errors, ...inputOf(bytes) })}\n`;
}

function inputOf(bytes: Buffer | null) {
  if (bytes === null) return { input: null };
  return isUtf8(bytes) ? { input: bytes.toString() } : { inputBase64: bytes.toString("base64") };
}
