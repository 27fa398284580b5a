import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { decompressed } from "@sightline/server/decompress";
import {
  type ImportTally,
  importAnswers,
  type RejectedLine,
} from "@sightline/server/import-answers";
import type { Storage } from "@sightline/server/storage";
import { progressLine } from "./output/progress-line.ts";
import { safeText } from "./output/safe-text.ts";
import { RejectedLines, type RejectedTarget } from "./rejected-lines.ts";
import { CommandError } from "./result.ts";
import { processSurroundings } from "./surroundings.ts";

/** The result of importing one file. */
export interface FileImport extends ImportTally {
  readonly file: string;
  /** Null: nothing was rejected, or it could not be saved. */
  readonly rejectedFile: string | null;
}

/** What importing one file needs. */
export interface FileImportOptions {
  readonly accountId: string;
  /** `-`: standard input. */
  readonly file: string;
  readonly target: RejectedTarget | null;
  /** Prints a line on standard error. */
  readonly say: (line: string) => void;
  /** Whether the reasons of the first rejected lines are shown. */
  readonly showReasons: boolean;
}

/** This many reasons show what is wrong with a file; all are saved with the rejected lines. */
const reasonsShown = 3;
/** A line may have twenty faults, and a terminal has few rows. */
const reasonCharactersMax = 300;

/** Imports one file, plain, gzip or zstd, into an account's record. */
export async function importFile(
  storage: Storage,
  { accountId, file, target, say, showReasons }: FileImportOptions,
): Promise<FileImport> {
  const source = await openSource(file);
  const progress = progressLine(processSurroundings);
  const warn = (message: string) => {
    progress.end(); // or the warning would stand behind it
    say(`sightline: warning: ${message}`);
  };
  const rejected = new RejectedLines({ file, target, warn });
  const reasons: RejectedLine[] = [];
  let tally: ImportTally = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0 };
  try {
    tally = await importAnswers(decompressed(source.chunks), {
      accountId,
      source: file === "-" ? "standard input" : basename(file),
      prompts: await storage.control.declaredPrompts(accountId),
      now: storage.clock.now,
      store: storage.answers,
      control: storage.control,
      onProgress: (soFar) => {
        tally = soFar;
        progress.update(progressText(file, soFar, source));
      },
      onRejected: (lines) => {
        if (showReasons) reasons.push(...lines.slice(0, reasonsShown - reasons.length));
        return rejected.add(lines);
      },
    });
  } catch (error) {
    throw brokenOff(file, tally, error);
  } finally {
    progress.end();
    for (const line of reasons) say(reasonOf(file, line));
    await rejected.end();
  }
  return { file, ...tally, rejectedFile: rejected.path };
}

/** A summary of one file in one line. */
export function summary(done: FileImport): string {
  const { file, accepted, duplicates, rejected, warnings, rejectedFile } = done;
  const counts = `${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`;
  const see = rejectedFile === null || rejectedFile === "-" ? "" : ` (see ${rejectedFile})`;
  const kept =
    warnings === 0
      ? ""
      : `; ${warnings} ${warnings === 1 ? "citation is" : "citations are"} kept but not counted: ` +
        "not an http or https URL";
  return `${file}: ${counts}${see}${kept}`;
}

/** How far an import is; the length of standard input is not known. */
function progressText(file: string, tally: ImportTally, { bytes, bytesRead }: Source): string {
  const name = file === "-" ? "standard input" : safeText(basename(file));
  const place = bytes === null ? "" : `${Math.floor((bytesRead() / bytes) * 100)} %, `;
  const { accepted, duplicates, rejected } = tally;
  return `${name}: ${place}${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`;
}

/** In the format of compilers, so that editors find the place. */
function reasonOf(file: string, { line, reason }: RejectedLine): string {
  const isLong = reason.length > reasonCharactersMax;
  const short = isLong ? `${reason.slice(0, reasonCharactersMax)}…` : reason;
  return safeText(`${file}:${line}: ${short}`);
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
  if (found === null) throw new CommandError(`${file}: no such file.`, 2);
  if (found.isDirectory()) {
    throw new CommandError(`${file} is a folder. Name the files in it, for example *.ndjson.`, 2);
  }
  const stream = createReadStream(file, { highWaterMark: 256 * 1024 });
  return { chunks: stream, bytes: found.size, bytesRead: () => stream.bytesRead };
}

function brokenOff(file: string, tally: ImportTally, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(
    `${file}: interrupted after ${tally.accepted} accepted and ${tally.duplicates} duplicates: ` +
      `${reason}. Accepted answers are recorded; import the file again to continue.`,
    1,
    { file, ...tally },
  );
}
