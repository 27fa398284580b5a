import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { declaredPromptsOf } from "../../accounts/account-store.ts";
import { actingFor } from "../../control/control-engine.ts";
import { systemClock } from "../../platform/clock.ts";
import { BrokenStreamError, type Call, serve } from "../../platform/thread.ts";
import { importLabels, type LabelTally } from "../labels/import-labels.ts";
import { type AnswerStoreAddress, type OpenRecords, openRecords } from "../open-answer-store.ts";
import { CsvHeaderError } from "./csv-lines.ts";
import { decompressed, ExpansionError } from "./decompress.ts";
import { type ImportTally, importAnswers, type RejectedLine } from "./import-answers.ts";
import {
  BrokenImportError,
  type ImportApi,
  type ImportChunk,
  type ImportOrder,
  type LabelsImport,
  type RejectedLineReport,
  rejectedReportsMax,
  type StreamImport,
} from "./import-thread.ts";
import { ImportTurn, ImportTurns } from "./import-turns.ts";

const address = workerData as AnswerStoreAddress;
/** SQLite blocks the thread; ClickHouse is waited for, and others are judged meanwhile. */
const turns = new ImportTurns("cluster" in address ? 4 : 1);

/** The thread that imports streams of answers, several at a time. */
serve<ImportApi>(async () => {
  const records = await openRecords(address);
  return {
    import: (order, call) => imported(records, order, call),
    importLabels: (order, call) => labelled(records, order, call),
  };
});

/** What browsers and servers agreed on for the coding (RFC 9659): 8 MiB of memory a stream. */
const zstdWindowLogMax = 23;

async function imported(
  { store, control }: OpenRecords,
  { accountId, format, source, by }: ImportOrder,
  call: Call<ImportChunk>,
): Promise<StreamImport> {
  const importId = randomUUID();
  const none: ImportTally = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0 };
  const done = await streamed(accountId, call, none, async ({ chunks, ...reports }) =>
    importAnswers(chunks, {
      accountId,
      format,
      importId,
      source,
      prompts: await declaredPromptsOf(control, accountId),
      now: systemClock.now,
      store,
      control: actingFor(control, by),
      clock: systemClock,
      ...reports,
    }),
  );
  return { importId, ...done };
}

async function labelled(
  { store, control }: OpenRecords,
  { accountId, format, by }: Omit<ImportOrder, "source">,
  call: Call<ImportChunk>,
): Promise<LabelsImport> {
  const none: LabelTally = { accepted: 0, duplicates: 0, rejected: 0 };
  return streamed(accountId, call, none, ({ chunks, ...reports }) =>
    importLabels(chunks, {
      accountId,
      format,
      store,
      control: actingFor(control, by),
      now: systemClock.now,
      ...reports,
    }),
  );
}

/** A stream in its turn, and what its import tells as it goes on. */
interface Streamed<Tally> {
  readonly chunks: AsyncIterable<Buffer>;
  readonly onProgress: (tally: Tally) => void;
  readonly onRejected: (lines: readonly RejectedLine[]) => Promise<void>;
}

/** Imports a stream in its turn. @param none what it has done at its beginning. */
async function streamed<Tally extends LabelTally>(
  accountId: string,
  { items, signal }: Call<ImportChunk>,
  none: Tally,
  work: (stream: Streamed<Tally>) => Promise<Tally>,
): Promise<Tally & Pick<StreamImport, "rejectedLines">> {
  const rejectedLines: RejectedLineReport[] = [];
  let tally = none;
  const turn = new ImportTurn(turns, accountId);
  try {
    const plain = decompressed(chunksOf(items), { zstdWindowLogMax });
    await turn.begin(); // to read 100,000 prompts takes as long as many chunks
    tally = await work({
      chunks: turn.each(plain, signal),
      onProgress: (soFar) => {
        tally = soFar;
      },
      onRejected: async (lines) => {
        const more = rejectedReportsMax - rejectedLines.length;
        for (const { line, errors, reason } of lines.slice(0, more)) {
          rejectedLines.push({ line, errors, reason });
        }
      },
    });
    return { ...tally, rejectedLines };
  } catch (error) {
    if (error === signal.reason) throw new BrokenImportError("stopped", error, tally);
    if (error instanceof BrokenStreamError) {
      throw new BrokenImportError("body", "the body ended before it was complete", tally);
    }
    throw new BrokenImportError(isOfBody(error) ? "body" : "failed", error, tally);
  } finally {
    turn.end();
  }
}

function isOfBody(error: unknown): boolean {
  if (error instanceof CsvHeaderError || error instanceof ExpansionError) return true;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^(Z_|ZSTD_|ERR_ZSTD)/.test(code);
}

/**
 * While questions are asked, an import rests as long as it worked on a chunk, but no longer: a
 * chunk may also wait for the disk, which leaves them the processor.
 */
const restMsMax = 20;

async function* chunksOf(items: AsyncIterable<ImportChunk>): AsyncGenerator<Buffer> {
  for await (const { bytes, givesWay } of items) {
    const startedMs = performance.now();
    yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const workedMs = performance.now() - startedMs;
    if (givesWay) await setTimeout(Math.min(workedMs, restMsMax));
  }
}
