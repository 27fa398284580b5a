import { setTimeout as pause } from "node:timers/promises";
import type { Control } from "../../control/control.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { OrderThread } from "../../platform/order-thread.ts";
import type { TextsRemoved } from "../answer-store.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";

/** A step of removing texts: some of an account's answers before an instant. */
export interface RetentionOrder {
  readonly accountId: string;
  /** Milliseconds since 1970; the first included, the second not. */
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** What a step removed, or why it failed. */
export type RetentionOutcome = TextsRemoved | { readonly error: string };

/** What texts are removed by. */
export interface TextRetentionOptions {
  readonly records: AnswerStoreAddress;
  readonly control: Pick<Control, "accounts" | "noteTextsRemoved">;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Days that a text is kept; off: for ever. */
  readonly keepTexts: number | "off";
}

const dayMs = 86_400_000;
const workerFile = new URL("./retention-worker.ts", import.meta.url);

/**
 * Removes the texts of old answers, account by account and in small steps, once for each UTC day:
 * the limit is the beginning of a day. Between two steps it pauses for as long as the last one
 * took, so that it uses half of one core at most.
 */
export class TextRetention {
  readonly #options: TextRetentionOptions;
  readonly #thread: OrderThread<RetentionOrder, RetentionOutcome>;
  readonly #stop = new AbortController();
  /** The limit up to which texts of all accounts were removed. */
  #doneBeforeMs = Number.NEGATIVE_INFINITY;
  #pass: Promise<void> = Promise.resolve();

  constructor(options: TextRetentionOptions) {
    this.#options = options;
    this.#thread = new OrderThread(workerFile, options.records);
  }

  /** Removes what is due; does nothing once the day's is removed. Accounts fail by themselves. */
  removeDue(): Promise<void> {
    this.#pass = this.#pass.then(() => this.#removeDue());
    return this.#pass;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#pass.catch(() => undefined);
    await this.#thread.close();
  }

  async #removeDue(): Promise<void> {
    const { keepTexts, clock, control, logger } = this.#options;
    if (keepTexts === "off") return;
    const beforeMs = Math.floor(clock.now() / dayMs) * dayMs - keepTexts * dayMs;
    if (beforeMs <= this.#doneBeforeMs) return;
    let failed = 0;
    for (const { id: accountId } of await control.accounts()) {
      try {
        const removed = await this.#removeOf(accountId, beforeMs);
        if (removed > 0) logger.info({ accountId, answers: removed }, "texts were removed");
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        failed++;
        logger.error({ accountId, error: String(error) }, "removing texts failed");
      }
    }
    // What failed is tried again the next time.
    if (failed === 0) this.#doneBeforeMs = beforeMs;
  }

  async #removeOf(accountId: string, beforeMs: number): Promise<number> {
    const { signal } = this.#stop;
    for (let [removed, fromMs] = [0, Number.MIN_SAFE_INTEGER]; ; ) {
      signal.throwIfAborted();
      const startedMs = performance.now();
      const outcome = await this.#thread.send({ accountId, fromMs, beforeMs });
      if ("error" in outcome) throw new Error(outcome.error);
      if (outcome.answers === 0) return removed;
      removed += outcome.answers;
      fromMs = outcome.nextMs;
      await this.#options.control.noteTextsRemoved(accountId, beforeMs);
      await pause(performance.now() - startedMs, undefined, { signal });
    }
  }
}
