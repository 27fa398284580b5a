import { setTimeout as pause } from "node:timers/promises";
import { allAccounts, noteTextsRemoved } from "../../accounts/account-store.ts";
import { type Entity, toRule } from "../../accounts/workspace.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import { compileExtractor } from "../../extraction/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { Thread } from "../../platform/thread.ts";
import type { TextRemoval, TextsRemoved } from "../answer-store.ts";
import type { AnswerStoreAddress } from "../open-answer-store.ts";
import { removeReadingsBefore } from "../readings/reading-store.ts";

/** What is removed for its age: texts of answers, or raw replies alone. */
type AgingKind = "texts" | "raw replies";

/** A step of removing: some of what an account has before an instant. */
interface RetentionOrder {
  readonly kind: AgingKind;
  readonly accountId: string;
  /** Milliseconds since 1970; the first included, the second not. Of texts by their answers. */
  readonly fromMs: number;
  readonly beforeMs: number;
}

/** What a step removed. */
interface RetentionStep extends TextsRemoved {
  /** Whether the account has answers without their texts, also of a step that died or failed. */
  readonly lacksTexts: boolean;
}

/** What the thread does. */
export interface RetentionApi {
  readonly remove: (order: RetentionOrder) => Promise<RetentionStep>;
}

/** What is removed by. */
interface RetentionOptions {
  readonly records: AnswerStoreAddress;
  readonly control: ControlEngine;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Days that a text is kept; off: for ever. */
  readonly keepTexts: number | "off";
  /** Days that a raw reply is kept; off: for as long as its answer has a text. */
  readonly keepRaw: number | "off";
}

const dayMs = 86_400_000;
const workerFile = new URL("./retention-worker.ts", import.meta.url);

/**
 * Removes texts of old answers, and old raw replies, account by account and in small steps, once
 * for each UTC day: the limit is the beginning of a day. Between two steps it pauses for as long as
 * the last one took, so that it uses half of one core at most.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #thread: Thread<RetentionApi>;
  readonly #stop = new AbortController();
  /** The limit up to which all accounts are done. */
  readonly #doneBeforeMs = new Map<AgingKind, number>();
  #pass: Promise<void> = Promise.resolve();

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#thread = new Thread(workerFile, options.records);
  }

  /** Removes what is due; does nothing once the day's is removed. Accounts fail by themselves. */
  removeDue(): Promise<void> {
    const { keepTexts, keepRaw } = this.#options;
    this.#pass = this.#pass
      .catch(() => undefined) // one that failed must not be the last
      .then(() => this.#removeDue("raw replies", keepRaw))
      .then(() => this.#removeDue("texts", keepTexts));
    return this.#pass;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#pass.catch(() => undefined);
    await this.#thread.close();
  }

  async #removeDue(kind: AgingKind, keepDays: number | "off"): Promise<void> {
    const { clock, control, logger } = this.#options;
    if (keepDays === "off") return;
    const beforeMs = Math.floor(clock.now() / dayMs) * dayMs - keepDays * dayMs;
    if (beforeMs <= (this.#doneBeforeMs.get(kind) ?? Number.NEGATIVE_INFINITY)) return;
    let failed = 0;
    for (const { id: accountId } of await allAccounts(control)) {
      try {
        const removed = await this.#removeOf(accountId, kind, beforeMs);
        if (removed > 0) logger.info({ accountId, answers: removed }, `${kind} were removed`);
      } catch (error) {
        if (this.#stop.signal.aborted) return;
        failed++;
        logger.error({ accountId, error: String(error) }, `removing ${kind} failed`);
      }
    }
    // What failed is tried again the next time.
    if (failed === 0) this.#doneBeforeMs.set(kind, beforeMs);
  }

  async #removeOf(accountId: string, kind: AgingKind, beforeMs: number): Promise<number> {
    const { signal } = this.#stop;
    for (let [removed, fromMs] = [0, Number.MIN_SAFE_INTEGER]; ; ) {
      signal.throwIfAborted();
      const startedMs = performance.now();
      const outcome = await this.#thread.api.remove({ kind, accountId, fromMs, beforeMs });
      const { control, clock } = this.#options;
      if (outcome.lacksTexts) await noteTextsRemoved(control, accountId, beforeMs, clock.now());
      if (kind === "texts") await removeReadingsBefore(control, accountId, beforeMs);
      if (outcome.answers === 0) return removed;
      removed += outcome.answers;
      fromMs = outcome.nextMs;
      await pause(performance.now() - startedMs, undefined, { signal });
    }
  }
}

/** Compiles what tells which of these entities an answer mentions, in order of first mention. */
export function compileMentionedIn(entities: readonly Entity[]): TextRemoval["mentionedIn"] {
  const extract = compileExtractor(entities.map(toRule));
  return (answer) => extract(answer).mentions.flatMap((place) => entities[place]?.id ?? []);
}
