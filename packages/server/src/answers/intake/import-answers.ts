import { randomUUID } from "node:crypto";
import type { DeclaredPrompt } from "../../accounts/account-store.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { canonicalUrl } from "../../extraction/canonical-url.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Answer, AnswerCitation } from "../answer.ts";
import { type AnswerStore, everyAnswer } from "../answer-store.ts";
import { removeAnswers } from "../corrections/corrections.ts";
import { importById, noteImport } from "../import-store.ts";
import { csvLines } from "./csv-lines.ts";
import { ImportNotes } from "./import-notes.ts";
import { type Line, lineBytesMax, linesOf } from "./lines.ts";
import { PromptIndex } from "./prompt-index.ts";
import {
  type LineContext,
  type LineReading,
  type Rejection,
  readAnswerLine,
} from "./read-answer-line.ts";

/** The result of an import, in lines. Blank lines are not counted. */
export interface ImportTally {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  /**
   * Citations of accepted answers that are stored but never counted, because their URL is invalid.
   */
  readonly warnings: number;
}

/** A line that was not recorded. */
export interface RejectedLine extends Rejection {
  /** From 1. */
  readonly line: number;
  /**
   * The line as read, a record of CSV as the line that it means; null when it was too long to be
   * buffered.
   */
  readonly bytes: Buffer | null;
}

/** What answers are written in. */
export type AnswersFormat = "ndjson" | "csv";

/** Reads lines out of a format that the caller knows. */
export type ReadLines = (chunks: AsyncIterable<Buffer>) => AsyncIterable<Line>;

/** What an import needs. */
export interface ImportOptions extends Omit<LineContext, "prompts"> {
  /** Every prompt that the account ever declared. */
  readonly prompts: readonly DeclaredPrompt[];
  readonly store: AnswerStore;
  readonly control: ControlEngine;
  readonly clock: Clock;
  /** What the stream is; omitted: NDJSON. */
  readonly format?: AnswersFormat | ReadLines;
  /** Omitted: a random one. */
  readonly importId?: string;
  /** Where the answers come from, as the list of imports says it. */
  readonly source: string;
  /** Called after each commit, with all so far and the bytes (uncompressed) that are done. */
  readonly onProgress: (tally: ImportTally, bytes: number) => void;
  /**
   * Called after that with the commit's rejected lines, in order; awaited before the import
   * continues.
   */
  readonly onRejected: (lines: readonly RejectedLine[]) => Promise<void>;
}

/** Answers and bytes per transaction: enough to amortize its fsync, with constant memory. */
const batchAnswersMax = 4_000;
/** The first batch is smaller and later ones double, so that the projection starts early. */
const firstBatchAnswers = 500;
const batchBytesMax = 16 * 1024 * 1024;

/**
 * Records the answers of a stream of NDJSON or CSV. Lines that the tally counts as accepted are on
 * the disk. A rejected line does not stop the others. Repeating an import accepts nothing and
 * changes nothing, which is also how an interrupted import is resumed. Of an import that is undone
 * meanwhile nothing stays, and the rest of its lines is rejected.
 */
export async function importAnswers(
  chunks: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportTally> {
  const importId = options.importId ?? randomUUID();
  const notes = new ImportNotes({ ...options, importId });
  const tally = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0 };
  const context = { ...options, prompts: new PromptIndex(options.prompts) };
  let batch: Line[] = [];
  let doneBytes = 0;
  let batchAnswers = firstBatchAnswers;
  let isNoted = true;
  const { accountId, source, control, clock } = options;
  const note = (isComplete: boolean) =>
    noteImport(
      control,
      accountId,
      { id: importId, source, ...countsOf(tally), isComplete },
      clock.now(),
    );
  const commit = async (isLast: boolean) => {
    const { accepted } = tally;
    isNoted = false;
    await notes.begin();
    if (batchAnswers === firstBatchAnswers) await note(false); // who dies then can be undone
    const wasUndone = await isUndone(options, importId);
    const rejected = wasUndone
      ? refusedBatch(batch, tally)
      : await recordBatch(batch, { ...context, importId, tally });
    // Before anything else can fail: what is recorded must be counted.
    doneBytes = batch.at(-1)?.endByte ?? doneBytes;
    options.onProgress({ ...tally }, doneBytes);
    await note(isLast);
    if (tally.accepted > accepted) {
      await notes.recorded();
      if (await isUndone(options, importId)) await removeRecorded(options, importId);
    }
    isNoted = true;
    if (rejected.length > 0) await options.onRejected(rejected);
    batch = [];
    batchAnswers = Math.min(2 * batchAnswers, batchAnswersMax);
  };
  const { format = "ndjson" } = options;
  const read = format === "csv" ? csvLines : format === "ndjson" ? linesOf : format;
  try {
    for await (const line of read(chunks)) {
      batch.push(line);
      // Blank lines count, too: a line keeps the whole chunk that it came in.
      const isLarge = line.endByte - doneBytes >= batchBytesMax;
      if (batch.length >= batchAnswers || isLarge) await commit(false);
    }
    if (batch.length > 0) await commit(true);
    else if (doneBytes > 0) await note(true);
  } catch (error) {
    // Of a stream that breaks off all is noted, and nobody has to look at the record for more.
    if (isNoted) await notes.end().catch(() => undefined);
    throw error;
  }
  await notes.end();
  return tally;
}

type Undoing = Pick<ImportOptions, "accountId" | "store" | "control" | "clock">;

async function isUndone({ accountId, control }: Undoing, importId: string): Promise<boolean> {
  const noted = await importById(control, accountId, importId);
  return noted !== null && noted.undoneAt !== null;
}

/** An undo of the import may have removed its answers before the last of them were recorded. */
async function removeRecorded(
  { accountId, store: answers, control, clock }: Undoing,
  importId: string,
): Promise<void> {
  await removeAnswers({ answers, control, clock }, accountId, { ...everyAnswer, importId });
}

const undone: Rejection = { reason: "The import was undone before this line came.", errors: [] };

function refusedBatch(
  batch: readonly Line[],
  tally: BatchContext["tally"],
): readonly RejectedLine[] {
  tally.rejected += batch.length;
  return batch.map(({ number, bytes }) => ({ line: number, bytes, ...undone }));
}

function countsOf({ accepted, duplicates, rejected }: ImportTally) {
  return { accepted, duplicates, rejected };
}

interface BatchContext extends LineContext {
  readonly importId: string;
  readonly store: AnswerStore;
  readonly tally: { -readonly [Name in keyof ImportTally]: number };
}

/**
 * Records a batch, adds it to the tally and returns its rejected lines. Lines are parsed as they
 * are recorded, so the result of one is garbage before the next.
 */
async function recordBatch(
  batch: readonly Line[],
  context: BatchContext,
): Promise<readonly RejectedLine[]> {
  const { store, tally } = context;
  const read: { readonly line: Line; readonly id: string; readonly warnings: number }[] = [];
  const rejections = new Map<Line, Rejection>();
  function* answers(): Generator<Answer> {
    for (const line of batch) {
      const reading = readLine(line, context);
      if ("rejection" in reading) {
        rejections.set(line, reading.rejection);
      } else {
        const { id, citations } = reading.answer;
        read.push({ line, id, warnings: uncountedCitations(citations) });
        yield reading.answer;
      }
    }
  }
  const recordings = await store.record(context.accountId, answers(), context.importId);
  for (const [place, { line, id, warnings }] of read.entries()) {
    if (recordings[place] === "accepted") {
      tally.accepted++;
      tally.warnings += warnings;
    } else if (recordings[place] === "duplicate") tally.duplicates++;
    else rejections.set(line, conflict(id));
  }
  tally.rejected += rejections.size;
  return batch.flatMap((line) => {
    const rejection = rejections.get(line);
    return rejection === undefined ? [] : [{ line: line.number, bytes: line.bytes, ...rejection }];
  });
}

function readLine({ bytes, rejection }: Line, context: LineContext): LineReading {
  if (rejection !== undefined) return { rejection };
  if (bytes !== null) return readAnswerLine(bytes, context);
  const reason = `The line is longer than ${lineBytesMax} bytes.`;
  return { rejection: { reason, errors: [] } };
}

function conflict(id: string): Rejection {
  return {
    reason: `An answer with the id ${id} is already recorded with other content.`,
    errors: [],
  };
}

/**
 * The number of an answer's citations that are stored but never counted, because their URL is
 * invalid.
 */
export function uncountedCitations(citations: readonly AnswerCitation[]): number {
  return citations.filter(({ url, cited }) => cited && canonicalUrl(url) === null).length;
}
