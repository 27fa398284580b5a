import type { Actor } from "../../platform/actor.ts";
import { Thread } from "../../platform/thread.ts";
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
  /** @returns how many answers there were; null: the account has no such import, or is erased. */
  readonly correct: (
    accountId: string,
    correction: Correction,
    by: Actor,
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
