import type { FieldError } from "@sightline/contract";
import type { StoragePlace } from "../platform/cluster-address.ts";
import type { FailedWork } from "../platform/failed-work.ts";
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

const workerFile = new URL("../apply-worker.ts", import.meta.url);

/**
 * Applies workspace files in a thread of its own: a file of 100,000 prompts takes seconds to read.
 */
export class ApplyThread {
  readonly #thread: OrderThread<ApplyOrder, ApplyOutcome>;

  constructor(place: StoragePlace) {
    this.#thread = new OrderThread(workerFile, place);
  }

  async apply(order: ApplyOrder): Promise<ApplyOutcome> {
    try {
      return await this.#thread.send(order, [order.bytes.buffer]);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message };
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
