import type { Answer } from "../answer.ts";
import type { AnswerStore } from "../answer-store.ts";
import { type Line, lineBytesMax, linesOf } from "./lines.ts";
import {
  type LineContext,
  type LineReading,
  type Rejection,
  readAnswerLine,
} from "./read-answer-line.ts";

/** What an import did, in lines. Blank lines count as nothing. */
export interface ImportTally {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** A line that was not recorded. */
export interface RejectedLine extends Rejection {
  /** From 1. */
  readonly line: number;
  /** The line as it was read; null when it was too long to be held. */
  readonly bytes: Buffer | null;
}

/** What an import is done with. */
export interface ImportOptions extends LineContext {
  readonly store: AnswerStore;
  /** Called for each bad line, in order; awaited before the import goes on. */
  readonly onRejected: (line: RejectedLine) => Promise<void>;
  /** Called after each commit, with all so far and the bytes (uncompressed) that are done. */
  readonly onProgress: (tally: ImportTally, bytes: number) => void;
}

/**
 * One transaction holds so many answers or bytes: enough to pay for its fsync; memory stays flat.
 */
const batchAnswersMax = 4_000;
/** The first has fewer, and each after it twice as many: what follows the record begins sooner. */
const firstBatchAnswers = 500;
const batchBytesMax = 16 * 1024 * 1024;

/**
 * Records the answers of an NDJSON stream. What the tally counts as accepted is on the disk. A bad
 * line does not stop the others. Doing the same again accepts nothing and changes nothing, which
 * is also how an import that was broken off is resumed.
 */
export async function importAnswers(
  chunks: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportTally> {
  const tally = { accepted: 0, duplicates: 0, rejected: 0 };
  let batch: Line[] = [];
  let batchBytes = 0;
  let batchAnswers = firstBatchAnswers;
  const commit = async () => {
    await recordBatch(batch, options, tally);
    options.onProgress({ ...tally }, batch.at(-1)?.endByte ?? 0);
    batch = [];
    batchBytes = 0;
    batchAnswers = Math.min(2 * batchAnswers, batchAnswersMax);
  };
  for await (const line of linesOf(chunks)) {
    batch.push(line);
    batchBytes += line.bytes?.length ?? 0;
    if (batch.length >= batchAnswers || batchBytes >= batchBytesMax) await commit();
  }
  if (batch.length > 0) await commit();
  return tally;
}

type MutableTally = { -readonly [Name in keyof ImportTally]: number };

/** Lines are read as they are recorded: what was made of one is garbage before the next. */
async function recordBatch(
  batch: readonly Line[],
  options: ImportOptions,
  tally: MutableTally,
): Promise<void> {
  const read: { readonly line: Line; readonly id: string }[] = [];
  const rejections = new Map<Line, Rejection>();
  function* answers(): Generator<Answer> {
    for (const line of batch) {
      const reading = readLine(line, options);
      if (reading === null) continue;
      if ("rejection" in reading) {
        rejections.set(line, reading.rejection);
      } else {
        read.push({ line, id: reading.answer.id });
        yield reading.answer;
      }
    }
  }
  const recordings = options.store.record(options.accountId, answers());
  for (const [place, { line, id }] of read.entries()) {
    if (recordings[place] === "accepted") tally.accepted++;
    else if (recordings[place] === "duplicate") tally.duplicates++;
    else rejections.set(line, conflict(id));
  }
  for (const line of batch) {
    const rejection = rejections.get(line);
    if (rejection === undefined) continue;
    tally.rejected++;
    await options.onRejected({ line: line.number, bytes: line.bytes, ...rejection });
  }
}

/** JSON's white space; a line's own end is cut off already. */
const blanks: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

/** Null: the line is blank. */
function readLine({ bytes }: Line, context: LineContext): LineReading | null {
  if (bytes === null) {
    const reason = `The line is longer than ${lineBytesMax} bytes.`;
    return { rejection: { reason, errors: [] } };
  }
  return bytes.every((byte) => blanks.has(byte)) ? null : readAnswerLine(bytes, context);
}

function conflict(id: string): Rejection {
  return {
    reason: `An answer with the id ${id} is recorded already, with other content.`,
    errors: [],
  };
}
