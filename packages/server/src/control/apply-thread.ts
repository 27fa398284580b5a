import type { FieldError } from "@sightline/contract";
import type { StoragePlace } from "../platform/cluster-address.ts";
import { type FailedWork, FailedWorkError } from "../platform/failed-work.ts";
import { OrderThread, ThreadEndedError } from "../platform/order-thread.ts";

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
  | FailedWork;

/** An account whose workspace file is wanted. */
export interface FileOrder {
  readonly accountId: string;
  readonly wanted: "file";
}

/** A workspace as a file, as JSON. */
export interface WrittenFile {
  readonly json: Uint8Array<ArrayBuffer>;
  /** Of the workspace; the file may be newer. */
  readonly revision: number;
}

/** What became of it. */
export type FileOutcome = ({ readonly kind: "written" } & WrittenFile) | FailedWork;

/** What the thread is sent. */
export type ThreadOrder = ApplyOrder | FileOrder;

/**
 * The largest file takes 600 MB while it is read; a thread keeps that until it ends. It starts
 * again within 200 ms.
 */
const bounds = { heapMb: 768, idleMs: 10_000 };

const workerFile = new URL("../apply-worker.ts", import.meta.url);

/**
 * Reads, applies and writes workspace files in a thread of its own: a file of 100,000 prompts or
 * 50,000 names takes seconds.
 */
export class ApplyThread {
  readonly #thread: OrderThread<ThreadOrder, ApplyOutcome | FileOutcome>;

  constructor(place: StoragePlace) {
    this.#thread = new OrderThread(workerFile, place, bounds);
  }

  async apply(order: ApplyOrder): Promise<ApplyOutcome> {
    return (await this.#send(order, [order.bytes.buffer])) as ApplyOutcome;
  }

  /**
   * The workspace file of an account that exists; applying it changes nothing.
   * @throws FailedWorkError.
   */
  async file(accountId: string): Promise<WrittenFile> {
    const outcome = (await this.#send({ accountId, wanted: "file" })) as FileOutcome;
    if (outcome.kind === "failed") throw new FailedWorkError(outcome);
    return outcome;
  }

  async #send(order: ThreadOrder, passed: readonly ArrayBuffer[] = []) {
    try {
      return await this.#thread.send(order, passed);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message } as const;
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
