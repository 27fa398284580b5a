import { Worker } from "node:worker_threads";
import type { ContentRange } from "../../answers/answer-store.ts";
import type { AnswerStoreAddress } from "../../answers/open-answer-store.ts";
import type { FactRows } from "../fact-rows.ts";
import { promptLines, type Snapshot, type SnapshotEntity } from "../snapshot.ts";
import { failureOf, type ThreadFailure } from "../thread-failure.ts";

/** What the worker is asked: the facts of a range of an account's record, by a snapshot. */
export interface BatchRequest {
  readonly id: number;
  readonly accountId: string;
  readonly snapshotKey: string;
  /** Null: that of the request before, which had the same key. */
  readonly snapshot: SentSnapshot | null;
  readonly range: ContentRange;
}

/** Of a snapshot, what extracting takes. */
export interface SentSnapshot {
  readonly entities: readonly SnapshotEntity[];
  /** See promptLines. */
  readonly prompts: string;
}

/** A snapshot, with another key for each that extracts otherwise. */
export interface KeyedSnapshot {
  readonly key: string;
  readonly snapshot: Snapshot;
}

/** What the worker replies: rows, null when the range is empty, or what went wrong. */
export type BatchReply =
  | { readonly id: number; readonly rows: FactRows | null }
  | ({ readonly id: number } & ThreadFailure);

/** Reads the record and extracts in a worker thread, one batch at a time. */
export interface BatchReader {
  /**
   * The facts of the next answers; null when there are none.
   * @throws OtherRecordError when the record does not have the mark; RecordError.
   */
  readonly read: (
    accountId: string,
    snapshot: KeyedSnapshot,
    range: ContentRange,
  ) => Promise<FactRows | null>;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly resolve: (rows: FactRows | null) => void;
  readonly reject: (error: Error) => void;
}

/** Starts the worker over the records; one that dies is replaced by the next read. */
export function openBatchReader(address: AnswerStoreAddress): BatchReader {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let worker: Worker | null = null;
  /** Of the last request; to send a snapshot again would copy all its prompts. */
  let sentKey: string | null = null;
  /** A thread that fails also ends, and by then another one may have been started. */
  const fail = (failed: Worker, error: Error) => {
    if (worker !== failed) return;
    worker = null;
    sentKey = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const start = (): Worker => {
    const started = new Worker(workerFile, {
      workerData: address,
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    started.on("message", (reply: BatchReply) => {
      const waiter = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ("error" in reply) {
        sentKey = null; // it may be that this snapshot could not be compiled
        waiter?.reject(failureOf(reply));
      } else waiter?.resolve(reply.rows);
    });
    started.on("error", (error: Error) => fail(started, error));
    started.on("exit", () => fail(started, new Error("the extracting thread ended")));
    return started;
  };
  return {
    read: async (accountId, { key, snapshot }, range) => {
      const isSent = () => worker !== null && key === sentKey;
      const snapshotToSend = isSent() ? null : await sentOf(snapshot);
      return new Promise((resolve, reject) => {
        lastId++;
        waiting.set(lastId, { resolve, reject });
        const sent = isSent() ? null : snapshotToSend; // others were asked meanwhile
        worker ??= start();
        const request = { id: lastId, accountId, snapshotKey: key, snapshot: sent, range };
        worker.postMessage(request satisfies BatchRequest);
        sentKey = key;
      });
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

const sentSnapshots = new WeakMap<Snapshot, Promise<SentSnapshot>>();

function sentOf(snapshot: Snapshot): Promise<SentSnapshot> {
  const { entities } = snapshot;
  const sent =
    sentSnapshots.get(snapshot) ?? promptLines(snapshot).then((prompts) => ({ entities, prompts }));
  sentSnapshots.set(snapshot, sent);
  return sent;
}

/** Texts are read and dropped: left to itself, the thread lets 128 MB of them pile up. */
const maxYoungGenerationSizeMb = 8;

const workerFile = new URL("./batch-worker.ts", import.meta.url);
