import { workerData } from "node:worker_threads";
import { OtherRecordError, RecordError } from "../../answers/answer-store.ts";
import { type AnswerStoreAddress, openAnswerStore } from "../../answers/open-answer-store.ts";
import { systemClock } from "../../platform/clock.ts";
import { inOrder, moving, serve } from "../../platform/thread.ts";
import { type PromptCodes, promptCodesOf } from "../codes.ts";
import { buffersOf } from "../columns.ts";
import { type ContentExtractor, compileContentExtractor, factRowsOf } from "./batch.ts";
import type { BatchApi, SentSnapshot } from "./batch-reader.ts";

/** A snapshot as extracting takes it. */
interface Compiled {
  readonly key: string;
  readonly prompts: ReadonlyMap<string, PromptCodes>;
  readonly extract: ContentExtractor;
}

/** Of the last call. */
let compiled: Compiled | null = null;

/** The thread that makes facts of the record. */
serve<BatchApi>(async () => {
  const store = await openAnswerStore(workerData as AnswerStoreAddress, systemClock);
  return {
    read: async ({ accountId, snapshotKey, range }, snapshot) => {
      if (snapshot !== null) compiled = compile(snapshotKey, snapshot);
      if (compiled?.key !== snapshotKey) return "unknown snapshot";
      const { prompts, extract } = compiled;
      try {
        const rows = await factRowsOf(store.each(accountId, range), prompts, extract);
        return rows === null ? null : moving(rows, buffersOf(rows));
      } catch (error) {
        throw isOfRecord(error) ? error : extractionFailure(error);
      }
    },
  };
}, inOrder());

function isOfRecord(error: unknown): boolean {
  return error instanceof RecordError || error instanceof OtherRecordError;
}

/** A fault of ours, with the place where it is: an account that fails is logged by its message. */
function extractionFailure(error: unknown): Error {
  const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
  return new Error(`extraction failed: ${stack}`);
}

function compile(key: string, { prompts, entities, names }: SentSnapshot): Compiled {
  return {
    key,
    prompts: promptCodesOf(prompts),
    extract: compileContentExtractor(entities, names !== null),
  };
}
