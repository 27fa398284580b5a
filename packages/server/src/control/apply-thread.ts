import { once } from "node:events";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import type { FieldError } from "@sightline/contract";
import type { StoragePlace } from "../platform/cluster-address.ts";

/** A workspace file to be applied to an account. */
export interface ApplyOrder {
  readonly accountId: string;
  /** Passed on to the thread, and gone here. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: "json" | "yaml";
  readonly dryRun: boolean;
  /** As `Control.apply` has it. */
  readonly ifRevision: readonly number[] | null;
}

/** What became of it. */
export type ApplyOutcome =
  /** The report as JSON, and the revision that the workspace has. */
  | { readonly kind: "applied"; readonly json: Uint8Array<ArrayBuffer>; readonly revision: number }
  | { readonly kind: "not-json"; readonly reason: string }
  | { readonly kind: "faulty"; readonly errors: readonly FieldError[] }
  /** It has another revision than was asked for. */
  | { readonly kind: "changed"; readonly revision: number }
  | { readonly kind: "failed"; readonly why: ApplyFailure; readonly reason: string };

/**
 * `busy`: another process writes control for long; `disk-full`; `away`: an engine of the cluster
 * is; `other`: a fault of ours.
 */
export type ApplyFailure = "busy" | "disk-full" | "away" | "other";

/** An order on its way to the thread. */
export interface SentOrder extends ApplyOrder {
  readonly port: MessagePort;
}

const workerFile = new URL("../apply-worker.ts", import.meta.url);

/**
 * Applies workspace files in a thread of its own: a file of 100,000 prompts takes seconds to read.
 * The thread starts with the first file, and one that dies is replaced by the next.
 */
export class ApplyThread {
  readonly #place: StoragePlace;
  #worker: Worker | null = null;

  constructor(place: StoragePlace) {
    this.#place = place;
  }

  async apply(order: ApplyOrder): Promise<ApplyOutcome> {
    const { port1, port2 } = new MessageChannel();
    const worker = this.#started();
    const stopped = new AbortController();
    const ended = once(worker, "exit", { signal: stopped.signal }).then(
      (): ApplyOutcome => ({ kind: "failed", why: "other", reason: "the thread ended" }),
    );
    ended.catch(() => undefined); // it was stopped: the outcome came
    const sent: SentOrder = { ...order, port: port2 };
    worker.postMessage(sent, [port2, order.bytes.buffer]);
    try {
      const outcome = once(port1, "message").then(([message]) => message as ApplyOutcome);
      return await Promise.race([outcome, ended]);
    } finally {
      stopped.abort();
      port1.close();
    }
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerFile, { workerData: this.#place });
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget).on("exit", forget);
    worker.unref();
    this.#worker = worker;
    return worker;
  }
}
