import { Worker } from "node:worker_threads";
import type { AnswerPlace } from "../../analytics/evidence-question.ts";
import type { AnswerStoreAddress } from "../../answers/open-answer-store.ts";
import { FactsError } from "../facts-engine.ts";
import type { SnapshotEntity } from "../snapshot.ts";
import { failureOf, type ThreadFailure } from "../thread-failure.ts";
import { charactersOf, RecentKeys } from "./recent-keys.ts";

/** The entities of one generation of an account's facts. */
export interface KeyedEntities {
  readonly generation: string;
  readonly entities: readonly SnapshotEntity[];
}

/** What the thread is asked to read: answers at places, in this order, or the one with an id. */
export type WantedAnswers =
  | { readonly places: readonly AnswerPlace[] }
  | { readonly answerId: string };

/** What the thread is asked. */
export interface EvidenceRequest {
  readonly id: number;
  readonly accountId: string;
  readonly key: string;
  /** Null: they were sent under the same key. */
  readonly entities: readonly SnapshotEntity[] | null;
  readonly wanted: WantedAnswers;
}

/** Nobody waits for what a request reads any more. */
export interface EvidenceCancel {
  readonly cancel: number;
}

/** What was read, as JSON: objects with commas between them. */
export interface AnswersRead {
  readonly json: Uint8Array;
  /** Of places, the first so many: their texts are large. */
  readonly count: number;
}

/** What the thread replies. `missing`: the record does not have the answer of this place. */
export type EvidenceReply =
  | ({ readonly id: number } & AnswersRead)
  | { readonly id: number; readonly cancelled: true }
  | { readonly id: number; readonly missing: number }
  | ({ readonly id: number } & ThreadFailure);

interface Waiting {
  readonly resolve: (read: AnswersRead) => void;
  readonly reject: (error: unknown) => void;
}

const workerFile = new URL("./evidence-worker.ts", import.meta.url);

/**
 * Reads answers and finds what is mentioned and cited in them, in a thread of its own: both block.
 * The thread starts with the first question, and one that dies is replaced by the next.
 */
export class EvidenceReader {
  readonly #address: AnswerStoreAddress;
  readonly #waiting = new Map<number, Waiting>();
  readonly #sent = new RecentKeys<true>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(address: AnswerStoreAddress) {
    this.#address = address;
  }

  /**
   * At least one answer, if any is wanted by its place; none for an id that the record lacks.
   * @throws FactsError unavailable when the record cannot be read, or is not that of the facts; the
   * signal's reason.
   */
  read(
    accountId: string,
    { generation, entities, wanted }: KeyedEntities & { readonly wanted: WantedAnswers },
    signal: AbortSignal,
  ): Promise<AnswersRead> {
    signal.throwIfAborted();
    const key = `${accountId}/${generation}`;
    const worker = this.#started();
    const id = ++this.#lastId;
    const isSent = this.#sent.get(key) === true;
    if (!isSent) this.#sent.set(key, true, charactersOf(entities));
    return new Promise((resolve, reject) => {
      const leave = () => {
        // Left to the thread, what nobody waits for would grow by as many as clients try again.
        if (this.#waiting.delete(id)) {
          worker.postMessage({ cancel: id } satisfies EvidenceCancel);
        }
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      const stay = () => signal.removeEventListener("abort", leave);
      this.#waiting.set(id, {
        resolve: (read) => {
          stay();
          resolve(read);
        },
        reject: (error) => {
          stay();
          reject(error);
        },
      });
      const request = { id, accountId, key, entities: isSent ? null : entities, wanted };
      worker.postMessage(request satisfies EvidenceRequest);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerFile, {
      workerData: this.#address,
      resourceLimits: { maxYoungGenerationSizeMb: 8 }, // texts are garbage immediately
    });
    worker.on("message", (reply: EvidenceReply) => this.#take(reply));
    worker.on("error", (error) => this.#end(worker, error));
    worker.on("exit", () => this.#end(worker, new Error("the reading thread ended")));
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  #take(reply: EvidenceReply): void {
    const waiter = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ("json" in reply) waiter?.resolve(reply);
    else if ("cancelled" in reply) return;
    else if ("missing" in reply) waiter?.reject(otherRecord(reply.missing));
    else {
      this.#sent.clear(); // it may be that these entities could not be compiled
      const failure = failureOf(reply);
      const isRecord = reply.failed !== "extraction";
      waiter?.reject(isRecord ? new FactsError("unavailable", failure) : failure);
    }
  }

  #end(worker: Worker, error: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#sent.clear();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** The scheduler compares record and facts of an account that is asked. */
function otherRecord(sequence: number): FactsError {
  const message = `the record does not have the answer ${sequence} that the facts have`;
  return new FactsError("unavailable", new Error(message));
}
