import { basename } from "node:path";
import { CsvHeaderError } from "@sightline/server/csv-lines";
import type { AnswersFormat, ImportTally, ReadLines } from "@sightline/server/import-answers";
import { MappingError } from "@sightline/sheets/read-sheet";
import { processIo } from "./command-io.ts";
import { openSource } from "./import-source.ts";
import { progressLine } from "./output/progress-line.ts";
import { safeText } from "./output/safe-text.ts";
import { RejectedLines, type RejectedTarget, type SavedLine } from "./rejected-lines.ts";
import { CommandError } from "./result.ts";

/** The result of importing one file. */
export interface FileImport extends ImportTally {
  readonly file: string;
  /** Null: nothing was rejected, or it could not be saved. */
  readonly rejectedFile: string | null;
}

/** Records the answers of a stream, plain or compressed: here, or at a service. */
export type RecordAnswers = (
  chunks: AsyncIterable<Buffer>,
  format: AnswersFormat | ReadLines,
  told: {
    /** Where they come from, as the list of imports says it. */
    readonly source: string;
    /** Called now and then, with all so far. */
    readonly onProgress: (tally: ImportTally) => void;
    /** Awaited. */
    readonly onRejected: (lines: readonly SavedLine[]) => Promise<void>;
  },
) => Promise<ImportTally>;

/** What importing one file needs. */
export interface FileImportOptions {
  /** `-`: standard input. */
  readonly file: string;
  /** Undefined: the file's name says it. */
  readonly format: AnswersFormat | ReadLines | undefined;
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

/** Imports one file, plain, gzip or zstd. */
export async function importFile(
  record: RecordAnswers,
  { file, format, target, say, showReasons }: FileImportOptions,
): Promise<FileImport> {
  const source = await openSource(file);
  const progress = progressLine(processIo, target?.descriptor === 1);
  const warn = (message: string) => {
    progress.end(); // or the warning would stand behind it
    say(`sightline: warning: ${message}`);
  };
  const rejected = new RejectedLines({ file, target, warn });
  const reasons: SavedLine[] = [];
  let tally: ImportTally = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0 };
  let named = 0;
  try {
    tally = await record(source.chunks, format ?? formatOf(file), {
      source: file === "-" ? "standard input" : basename(file),
      onProgress: (soFar) => {
        tally = soFar;
        progress.update(progressText(file, soFar, source.placeText()));
      },
      onRejected: (lines) => {
        named += lines.length;
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
  if (named < tally.rejected) warn(`${file}: ${unnamed(named, tally)}`);
  return { file, ...tally, rejectedFile: rejected.path };
}

/** A service names some of very many. */
function unnamed(named: number, { rejected }: ImportTally): string {
  return (
    `the service named ${named} of ${rejected} rejected lines. Correct the file and import it ` +
    "again to see the others."
  );
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

/** How far an import is. */
function progressText(file: string, tally: ImportTally, place: string): string {
  const name = file === "-" ? "standard input" : safeText(basename(file));
  const { accepted, duplicates, rejected } = tally;
  return `${name}: ${place}${accepted} accepted, ${duplicates} duplicates, ${rejected} rejected`;
}

/** In the format of compilers, so that editors find the place. */
function reasonOf(file: string, { line, reason }: SavedLine): string {
  const isLong = reason.length > reasonCharactersMax;
  const short = isLong ? `${reason.slice(0, reasonCharactersMax)}…` : reason;
  return safeText(`${file}:${line}: ${short}`);
}

/** Compression is known by the first bytes, CSV by its name. */
function formatOf(file: string): AnswersFormat {
  return /\.csv(\.(gz|zst))?$/i.test(file) ? "csv" : "ndjson";
}

/** Nothing of the file was imported. */
function unmapped(file: string, { faults }: MappingError): string {
  const said = faults.map((fault) => `  ${fault}`).join("\n");
  return `${file}: the mapping does not fit; nothing was imported.\n${said}`;
}

function brokenOff(file: string, tally: ImportTally, error: unknown): Error {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof CsvHeaderError) return new CommandError(`${file}: ${message}.`, 2);
  if (error instanceof MappingError) return new CommandError(unmapped(file, error), 2);
  const reason = message.replace(/\.$/, "");
  return new CommandError(
    `${file}: interrupted after ${tally.accepted} accepted and ${tally.duplicates} duplicates: ` +
      `${reason}. What was accepted is recorded; import the file again to continue.`,
    1,
    { file, ...tally },
  );
}
