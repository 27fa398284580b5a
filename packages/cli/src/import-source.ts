import { constants, createReadStream, type Stats } from "node:fs";
import { access, stat } from "node:fs/promises";
import { CommandError } from "./result.ts";

/** What an import reads. */
export interface ImportSource {
  readonly chunks: AsyncIterable<Buffer>;
  /** How much of it was read, such as `42 %, `; empty where its length is not known. */
  readonly placeText: () => string;
}

/**
 * Looks at all files before the first is imported: of one that is mistyped, nothing is.
 * @throws CommandError as openSource does
 */
export async function requireSources(files: readonly string[]): Promise<void> {
  for (const file of files) if (file !== "-") await statOf(file);
}

/**
 * Opens a file; `-`: standard input.
 * @throws CommandError when there is no such file, or it is a folder, or cannot be read.
 */
export async function openSource(file: string): Promise<ImportSource> {
  if (file === "-") return { chunks: process.stdin, placeText: () => "" };
  const found = await statOf(file);
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  return { chunks: stream, placeText: () => placeOf(stream.bytesRead, found.size) };
}

/** A pipe (`<(command)`) has no size, and a file that is written to may be longer by now. */
function placeOf(bytesRead: number, bytes: number): string {
  if (bytes === 0) return "";
  return `${Math.min(100, Math.floor((bytesRead / bytes) * 100))} %, `;
}

async function statOf(file: string): Promise<Stats> {
  const unusable = (error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "no such file" : `it cannot be read: ${error.message}`;
    throw new CommandError(`${file}: ${reason}.`, 2);
  };
  const found = await stat(file).catch(unusable);
  if (found.isDirectory()) {
    throw new CommandError(`${file} is a folder. Name the files in it, for example *.ndjson.`, 2);
  }
  await access(file, constants.R_OK).catch(unusable);
  return found;
}
