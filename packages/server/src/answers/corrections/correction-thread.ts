import type { Actor } from "../../platform/actor.ts";
import { type Call, Thread } from "../../platform/thread.ts";
import type { AnswerSelection } from "../answer-store.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";

/** What is to be done with an account's answers. */
export type Correction =
  | { readonly action: "count" | "remove"; readonly selection: AnswerSelection }
  | { readonly action: "undo"; readonly importId: string }
  /** The account was deleted, and its facts are gone. `ends`: nobody else ends its deletion. */
  | { readonly action: "erase"; readonly ends: boolean };

/** What the thread does, one call after another. */
export interface CorrectionApi {
  /**
   * A removal whose signal aborts before it has begun does nothing; once begun, it is completed.
   * @returns how many answers there were; null: the account has no such import, or is erased.
   * @throws an AbortError when it did nothing.
   */
  readonly correct: (
    accountId: string,
    correction: Correction,
    by: Actor,
    call: Call,
  ) => Promise<number | null>;
}

/**
 * Counts and removes answers in a thread of its own: it reads whole records, and waits for the
 * disk.
 */
export type CorrectionThread = Thread<CorrectionApi>;

/** The thread over the records at an address. */
export function correctionThread(address: AnswerStoreAddress): CorrectionThread {
  return new Thread(new URL("./correction-worker.ts", import.meta.url), address);
}
