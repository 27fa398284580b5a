import type { Vendor } from "@sightline/contract";
import type { AnswerStoreAddress } from "../answers/open-answer-store.ts";
import type { Logger, LogLevel } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { OrderThread, ThreadEndedError } from "../platform/order-thread.ts";
import type { CollectionTally, VendorHealth } from "./collection-counts.ts";
import { countCollection } from "./collection-metrics.ts";
import type { Outlook } from "./outlook.ts";
import type { PriceList } from "./prices/price-list.ts";
import type { PlanOrder, PlanOutcome } from "./schedule/plan-now.ts";

/** What the thread gets. Nothing of it is logged. */
export interface CollectionThreadData {
  readonly records: AnswerStoreAddress;
  /** Whether it asks by itself, or plans when it is told to alone. */
  readonly collects: boolean;
  readonly secrets: Readonly<Partial<Record<Vendor, string>>>;
  readonly standIn: string | null;
  readonly prices: PriceList;
  readonly concurrency: number;
  readonly logLevel: LogLevel;
}

/** What the thread is told. */
export type CollectionOrder =
  | { readonly kind: "report" }
  | ({ readonly kind: "plan" } & PlanOrder)
  /** When a workspace's cadences come next, and how vendors stand everywhere. */
  | { readonly kind: "outlook"; readonly accountId: string }
  | { readonly kind: "close" };

/** What it replies, in the same order of kinds. */
export type CollectionOutcome =
  | {
      readonly kind: "report";
      readonly tally: CollectionTally;
      readonly health: readonly VendorHealth[];
    }
  | { readonly kind: "plan"; readonly outcome: PlanOutcome }
  | { readonly kind: "outlook"; readonly outlook: Outlook }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly reason: string };

/** What the thread is run with. */
export interface CollectionThreadOptions extends CollectionThreadData {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const workerFile = new URL("./collection-worker.ts", import.meta.url);

/**
 * Asks the providers in a thread of its own, and plans sweeps there: planning 10,000 jobs and
 * reading their replies would hold up the questions. One that dies is replaced at the next report.
 */
export class CollectionThread {
  readonly #options: CollectionThreadOptions;
  readonly #thread: OrderThread<CollectionOrder, CollectionOutcome>;
  #health: readonly VendorHealth[] = [];

  constructor(options: CollectionThreadOptions) {
    const { logger: _logger, metrics: _metrics, ...data } = options;
    this.#options = options;
    this.#thread = new OrderThread(workerFile, data satisfies CollectionThreadData);
  }

  /** Whether this node asks by itself. */
  get collects(): boolean {
    return this.#options.collects;
  }

  /** How vendors stood on this node at the last report; empty: it does not ask, or not yet. */
  get health(): readonly VendorHealth[] {
    return this.#health;
  }

  /** Takes over what the thread counted. To be repeated; the first call starts the thread. */
  async report(): Promise<void> {
    if (!this.#options.collects) return;
    const outcome = await this.#thread.send({ kind: "report" });
    if (outcome.kind !== "report") throw new Error(reasonOf(outcome));
    this.#health = outcome.health;
    countCollection(this.#options.metrics, outcome);
  }

  /** Plans a sweep for now, or says what it would be. */
  async plan(order: PlanOrder): Promise<PlanOutcome> {
    try {
      const outcome = await this.#thread.send({ kind: "plan", ...order });
      if (outcome.kind === "plan") return outcome.outcome;
      return { kind: "failed", why: "other", reason: reasonOf(outcome) };
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message };
    }
  }

  /** When an account is asked next, and how vendors stand with all that collect. */
  async outlook(accountId: string): Promise<Outlook> {
    const outcome = await this.#thread.send({ kind: "outlook", accountId });
    if (outcome.kind !== "outlook") throw new Error(reasonOf(outcome));
    return outcome.outlook;
  }

  /** Lets requests under way end within seconds. */
  async close(): Promise<void> {
    const { collects, logger } = this.#options;
    try {
      if (collects) await this.#thread.send({ kind: "close" });
    } catch (error) {
      logger.error({ error: String(error) }, "closing the collection failed");
    }
    await this.#thread.close();
  }
}

function reasonOf(outcome: CollectionOutcome): string {
  return outcome.kind === "failed" ? outcome.reason : `the thread replied ${outcome.kind}`;
}
