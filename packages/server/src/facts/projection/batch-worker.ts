import { parentPort, workerData } from "node:worker_threads";
import { type AnswerStoreAddress, openAnswerStore } from "../../answers/open-answer-store.ts";
import { systemClock } from "../../platform/clock.ts";
import { type PromptCodes, promptCodesOf } from "../codes.ts";
import { buffersOf } from "../fact-rows.ts";
import { threadFailure } from "../thread-failure.ts";
import { factRowsOf } from "./batch.ts";
import type { BatchReply, BatchRequest } from "./batch-reader.ts";
import { type ContentExtractor, compileContentExtractor } from "./content-extractor.ts";

/**
 * The thread that reads the record and extracts, both synchronous and long, so that the thread
 * that answers requests stays free.
 */
interface Compiled {
  readonly key: string;
  readonly prompts: ReadonlyMap<string, PromptCodes>;
  readonly extract: ContentExtractor;
}

const store = await openAnswerStore(workerData as AnswerStoreAddress, systemClock);
let compiled: Compiled | null = null;

/** One batch after another, in the order of the requests. */
let last: Promise<void> = Promise.resolve();

parentPort?.on("message", (request: BatchRequest) => {
  last = last.then(() => send(request));
});

async function send(request: BatchRequest): Promise<void> {
  const made = await reply(request);
  const moved = "rows" in made && made.rows !== null ? buffersOf(made.rows) : [];
  parentPort?.postMessage(made, moved);
}

async function reply(request: BatchRequest): Promise<BatchReply> {
  const { id, accountId, snapshotKey, snapshot, range } = request;
  try {
    const { prompts, extract } = compiledBy(snapshotKey, snapshot);
    return { id, rows: await factRowsOf(store.each(accountId, range), prompts, extract) };
  } catch (error) {
    return { id, ...threadFailure(error) };
  }
}

function compiledBy(key: string, snapshot: BatchRequest["snapshot"]): Compiled {
  if (snapshot !== null) {
    compiled = {
      key,
      prompts: promptCodesOf(snapshot.prompts),
      extract: compileContentExtractor(snapshot.entities),
    };
  }
  if (compiled?.key !== key) throw new Error(`the snapshot ${key} never came`);
  return compiled;
}
