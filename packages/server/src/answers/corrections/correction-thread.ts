import type { FailedWork } from "../../platform/failed-work.ts";
import { OrderThread, ThreadEndedError } from "../../platform/order-thread.ts";
import type { AnswerSelection } from "../answer-selection.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";

/** What is to be done with an account's answers. */
export type Correction =
  | { readonly action: "count" | "remove"; readonly selection: AnswerSelection }
  | { readonly action: "undo"; readonly importId: string }
  /** The account was deleted, and its facts are gone. `ends`: nobody else ends its deletion. */
  | { readonly action: "erase"; readonly ends: boolean };

/** A correction, and whose it is. */
export type CorrectionOrder = Correction & { readonly accountId: string };

/** What became of it. */
export type CorrectionOutcome =
  /** Null: the account has no such import. */
  { readonly kind: "done"; readonly answers: number | null } | FailedWork;

const workerFile = new URL("./correction-worker.ts", import.meta.url);

/**
 * Counts and removes answers in a thread of its own, one account after another: it reads whole
 * records, and waits for the disk.
 */
export class CorrectionThread {
  readonly #thread: OrderThread<CorrectionOrder, CorrectionOutcome>;

  constructor(address: AnswerStoreAddress) {
    this.#thread = new OrderThread(workerFile, address);
  }

  async correct(accountId: string, correction: Correction): Promise<CorrectionOutcome> {
    try {
      return await this.#thread.send({ ...correction, accountId });
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message };
    }
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
