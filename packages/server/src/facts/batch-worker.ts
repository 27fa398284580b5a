import { setPriority } from "node:os";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { parentPort, workerData } from "node:worker_threads";
import { OtherRecordError, RecordError } from "../answers/answer-store.ts";
import { sqliteAnswerStore } from "../answers/sqlite/sqlite-answer-store.ts";
import { compileExtractor, type Extractor } from "../extraction/index.ts";
import { systemClock } from "../platform/clock.ts";
import { openDataFolder } from "../platform/data-folder.ts";
import { factRowsOf } from "./batch.ts";
import type { BatchReply, BatchRequest, FailedStep } from "./batch-reader.ts";
import { codesOf, type SnapshotCodes } from "./codes.ts";
import { buffersOf } from "./fact-rows.ts";

/**
 * The thread that reads the record and extracts, both synchronous and long, so that the thread
 * that answers requests stays free.
 */
interface Compiled {
  readonly key: string;
  readonly codes: SnapshotCodes;
  readonly extract: Extractor;
}

setPriority(5);

/** Answers behind which the heap is collected as a whole. */
const collectEveryAnswers = 8_000;

// TRICKY: V8 lets this thread's heap grow to 64 MB, of which 8 to 13 live, before it collects it.
// A flag that forbids it holds for the thread that answers too, and costs its replies.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
let answersSinceCollection = 0;

const store = sqliteAnswerStore(openDataFolder(String(workerData)), systemClock);
let compiled: Compiled | null = null;

parentPort?.on("message", (request: BatchRequest) => {
  const answer = reply(request);
  const moved = "rows" in answer && answer.rows !== null ? buffersOf(answer.rows) : [];
  parentPort?.postMessage(answer, moved);
  answersSinceCollection += "rows" in answer ? (answer.rows?.answersRead ?? 0) : 0;
  if (answersSinceCollection < collectEveryAnswers) return;
  answersSinceCollection = 0;
  collect();
});

function reply({ id, accountId, snapshotKey, snapshot, range }: BatchRequest): BatchReply {
  try {
    const { codes, extract } = compiledBy(snapshotKey, snapshot);
    const answers = store.each(accountId, range);
    return { id, rows: factRowsOf(answers, codes, extract) };
  } catch (error) {
    const failed = failedStep(error);
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    return { id, failed, error: failed === "extraction" ? stack : message };
  }
}

function failedStep(error: unknown): FailedStep {
  if (error instanceof OtherRecordError) return "other-record";
  return error instanceof RecordError ? "record" : "extraction";
}

function compiledBy(key: string, snapshot: BatchRequest["snapshot"]): Compiled {
  if (snapshot !== null) {
    compiled = {
      key,
      codes: codesOf(snapshot),
      extract: compileExtractor(snapshot.entities),
    };
  }
  if (compiled?.key !== key) throw new Error(`the snapshot ${key} never came`);
  return compiled;
}
