import type { FieldError } from "@sightline/contract";
import type { StoragePlace } from "../platform/cluster-address.ts";
import { type FailedWork, FailedWorkError } from "../platform/failed-work.ts";
import { OrderThread, ThreadEndedError } from "../platform/order-thread.ts";
import type { Control } from "./control.ts";

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

/** Work on a file: what is small takes some 50 ms, what is large takes up to several seconds. */
export type FileWork = "small" | "large";

/** The most that small work reads: of a file, and of what its account stores. */
const smallMax = { bytes: 256 * 1024, rows: 2_500 };

/** How much work a file is, which an account sends, or which is written when no bytes are given. */
export async function fileWorkOf(
  control: Pick<Control, "storesMoreThan">,
  accountId: string,
  bytes = 0,
): Promise<FileWork> {
  if (bytes > smallMax.bytes) return "large";
  return (await control.storesMoreThan(accountId, smallMax.rows)) ? "large" : "small";
}

const workerFile = new URL("../apply-worker.ts", import.meta.url);

/**
 * Reads, applies and writes workspace files in threads of their own: a file of 100,000 prompts or
 * 50,000 names takes seconds. Large ones have a thread, and small ones another, so that no account
 * waits for the large files of others.
 */
export class ApplyThread {
  readonly #threads: Readonly<
    Record<FileWork, OrderThread<ThreadOrder, ApplyOutcome | FileOutcome>>
  >;

  constructor(place: StoragePlace) {
    this.#threads = {
      small: new OrderThread(workerFile, place, bounds),
      large: new OrderThread(workerFile, place, bounds),
    };
  }

  async apply(order: ApplyOrder, work: FileWork): Promise<ApplyOutcome> {
    return (await this.#send(work, order, [order.bytes.buffer])) as ApplyOutcome;
  }

  /**
   * The workspace file of an account that exists; applying it changes nothing.
   * @throws FailedWorkError.
   */
  async file(accountId: string, work: FileWork): Promise<WrittenFile> {
    const outcome = (await this.#send(work, { accountId, wanted: "file" })) as FileOutcome;
    if (outcome.kind === "failed") throw new FailedWorkError(outcome);
    return outcome;
  }

  async #send(work: FileWork, order: ThreadOrder, passed: readonly ArrayBuffer[] = []) {
    try {
      return await this.#threads[work].send(order, passed);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message } as const;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#threads.small.close(), this.#threads.large.close()]);
  }
}
