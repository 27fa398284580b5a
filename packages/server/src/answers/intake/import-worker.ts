import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { systemClock } from "../../platform/clock.ts";
import { whyFailed } from "../../platform/failed-work.ts";
import { onceOpened } from "../../platform/once-opened.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import { openRecords } from "../open-records.ts";
import { CsvHeaderError } from "./csv-lines.ts";
import { decompressed, ExpansionError } from "./decompress.ts";
import { type ImportTally, importAnswers } from "./import-answers.ts";
import {
  type BrokenImport,
  type ImportBeginning,
  type ImportMessage,
  type ImportNotice,
  type RejectedLineReport,
  rejectedReportsMax,
} from "./import-thread.ts";
import { ImportTurn, ImportTurns } from "./import-turns.ts";

/** The thread that imports streams of answers, several at a time. */
const address = workerData as AnswerStoreAddress;
const openOnce = onceOpened(() => openRecords(address));
/** SQLite blocks the thread; ClickHouse is waited for, and others are judged meanwhile. */
const turns = new ImportTurns("cluster" in address ? 4 : 1);

parentPort?.on("message", (beginning: ImportBeginning) => {
  void importFrom(beginning);
});

/** The stream broke off before its end. */
class CutOffError extends Error {}

/** The import was told to stop. */
class StoppedError extends Error {}

/** What browsers and servers agreed on for the coding (RFC 9659): 8 MiB of memory a stream. */
const zstdWindowLogMax = 23;

async function importFrom({ accountId, format, source, port }: ImportBeginning): Promise<void> {
  const tell = (notice: ImportNotice) => port.postMessage(notice);
  const importId = randomUUID();
  const rejectedLines: RejectedLineReport[] = [];
  let tally: ImportTally = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0 };
  const stopped = new AbortController();
  const turn = new ImportTurn(turns, accountId);
  try {
    const { store, control } = await openOnce();
    const plain = decompressed(chunksFrom(port, stopped), { zstdWindowLogMax });
    await turn.begin(); // to read 100,000 prompts takes as long as many chunks
    tally = await importAnswers(turn.each(plain, stopped.signal), {
      accountId,
      format,
      importId,
      source,
      prompts: await control.declaredPrompts(accountId),
      now: systemClock.now,
      store,
      control,
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
    tell({ kind: "done", result: { importId, ...tally, rejectedLines } });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell({ kind: "broken", why: whyBroken(error), error: message, tally });
  } finally {
    turn.end();
  }
}

function whyBroken(error: unknown): BrokenImport {
  if (error instanceof StoppedError) return "stopped";
  const ofBody = [CutOffError, CsvHeaderError, ExpansionError];
  if (ofBody.some((kind) => error instanceof kind)) return "body";
  const { code } = error as { readonly code?: unknown };
  const text = typeof code === "string" ? code : "";
  if (/^(Z_|ZSTD_|ERR_ZSTD)/.test(text)) return "body";
  return whyFailed(error);
}

/**
 * While questions are asked, an import rests as long as it worked on a chunk, but no longer: a
 * chunk may also wait for the disk, which leaves them the processor.
 */
const restMsMost = 20;

/** What comes through the port, as a stream; each chunk is acknowledged when it is asked for. */
async function* chunksFrom(port: MessagePort, stopped: AbortController): AsyncGenerator<Buffer> {
  const come: Exclude<ImportMessage, { readonly kind: "stop" }>[] = [];
  let wake: () => void = () => undefined;
  port.on("message", (message: ImportMessage) => {
    if (message.kind === "stop") stopped.abort(new StoppedError("the import was stopped"));
    else come.push(message);
    wake();
  });
  for (;;) {
    stopped.signal.throwIfAborted();
    const message = come.shift();
    if (message === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (message.kind === "chunk") {
      port.postMessage({ kind: "taken" } satisfies ImportNotice);
      const startedMs = performance.now();
      yield Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength);
      const workedMs = performance.now() - startedMs;
      if (message.givesWay) await setTimeout(Math.min(workedMs, restMsMost));
    } else if (message.kind === "end") return;
    else throw new CutOffError("the body ended before it was complete");
  }
}
