import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { decompressed } from "@sightline/server/decompress";
import { type ImportTally, importAnswers } from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { importProgress } from "./import-progress.ts";
import { RejectedFile } from "./rejected-file.ts";
import { CommandError } from "./result.ts";

/** What importing one file did. */
export interface FileImport extends ImportTally {
  readonly file: string;
  /** Null: nothing was rejected. */
  readonly rejectedFile: string | null;
}

/** Where a file's rejected lines go; those of standard input to the current folder. */
export function rejectedPath(file: string): string {
  return file === "-" ? "stdin.rejected.ndjson" : `${file}.rejected.ndjson`;
}

/** Imports one file (`-`: standard input), plain, gzip or zstd, into an account's record. */
export async function importFile(
  storage: Storage,
  accountId: string,
  file: string,
): Promise<FileImport> {
  const source = await openSource(file);
  const rejected = new RejectedFile(rejectedPath(file));
  await rejected.begin();
  const name = file === "-" ? "standard input" : basename(file);
  const progress = await importProgress(name, source.bytes);
  let tally: ImportTally = { accepted: 0, duplicates: 0, rejected: 0 };
  try {
    tally = await importAnswers(decompressed(source.chunks), {
      accountId,
      promptIds: await storage.control.promptIds(accountId),
      store: storage.answers,
      onRejected: (line) => rejected.add(line),
      onProgress: (soFar) => {
        tally = soFar;
        progress.update(soFar, source.bytesRead());
      },
    });
  } catch (error) {
    progress.end("broken off");
    throw brokenOff(file, tally, error);
  } finally {
    await rejected.end();
  }
  progress.end(summary({ ...tally, file, rejectedFile: rejected.path }));
  return { file, ...tally, rejectedFile: rejected.path };
}

/** One line about one file. */
export function summary({
  file,
  accepted,
  duplicates,
  rejected,
  rejectedFile,
}: FileImport): string {
  const counts = `${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`;
  return `${file}: ${counts}${rejectedFile === null ? "" : ` (see ${rejectedFile})`}`;
}

interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  /** Null: not known. */
  readonly bytes: number | null;
  readonly bytesRead: () => number;
}

async function openSource(file: string): Promise<Source> {
  if (file === "-") return { chunks: process.stdin, bytes: null, bytesRead: () => 0 };
  const found = await stat(file).catch(() => null);
  if (found === null || found.isDirectory()) {
    throw new CommandError(`${file}: there is no such file to import.`, 2);
  }
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  return { chunks: stream, bytes: found.size, bytesRead: () => stream.bytesRead };
}

function brokenOff(file: string, tally: ImportTally, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(
    `${file}: broken off after ${tally.accepted} accepted and ${tally.duplicates} duplicates: ` +
      `${reason}. What was accepted is recorded; import the file again to go on.`,
    1,
    { file, ...tally },
  );
}
