import type { CollectionsResponse, ListedCollection, Vendor } from "@sightline/contract";
import type { AnswerStoreAddress } from "../answers/open-answer-store.ts";
import { type FailedWork, FailedWorkError } from "../platform/failed-work.ts";
import type { LogFormat, Logger, LogLevel } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { OrderThread, ThreadEndedError } from "../platform/order-thread.ts";
import type { CollectionTally, VendorHealth } from "./collection-counts.ts";
import { countCollection } from "./collection-metrics.ts";
import type { PriceList } from "./prices/price-list.ts";
import type { PlanOrder, PlanOutcome } from "./schedule/plan-now.ts";

/** What the thread gets. Nothing of it is logged. */
export interface CollectionThreadData {
  readonly records: AnswerStoreAddress;
  /** Whether it asks by itself, or does what it is told to alone. */
  readonly collects: boolean;
  readonly secrets: Readonly<Partial<Record<Vendor, string>>>;
  readonly standIn: string | null;
  readonly prices: PriceList;
  readonly concurrency: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat | undefined;
}

/** What the thread does when it is told to. `now`: the caller's, in milliseconds since 1970. */
export interface CollectionOrders {
  /** What it counted since the last report, and how vendors stand with it. */
  readonly report: () => Promise<{
    readonly tally: CollectionTally;
    readonly health: readonly VendorHealth[];
  }>;
  /** Plans a sweep for now, or says what it would be. */
  readonly plan: (order: PlanOrder) => Promise<PlanOutcome>;
  /** An account's sweeps, what they cost, when it is asked next, and how vendors stand. */
  readonly list: (accountId: string, now: number) => Promise<CollectionsResponse>;
  /** Null: the account has no such sweep. */
  readonly get: (accountId: string, sweepId: string) => Promise<ListedCollection | null>;
  /** Sends no further question of a sweep. Null: the account has no such sweep. */
  readonly cancel: (
    accountId: string,
    sweepId: string,
    now: number,
  ) => Promise<ListedCollection | null>;
  /** Lets requests under way end within seconds. */
  readonly close: () => Promise<void>;
}

/** What the thread is told. */
export interface CollectionOrder {
  readonly name: keyof CollectionOrders;
  readonly parameters: readonly unknown[];
}

/** What it replies: the result of what it was told. */
export type CollectionOutcome = { readonly kind: "done"; readonly result: unknown } | FailedWork;

/** What the thread is run with. */
export interface CollectionThreadOptions extends CollectionThreadData {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const workerFile = new URL("./collection-worker.ts", import.meta.url);

/**
 * Asks the providers in a thread of its own, and does there all that reads or writes whole sweeps:
 * their 100,000 jobs would hold up the questions. One that dies is replaced at the next report.
 * Orders fail with FailedWorkError.
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

  readonly plan: CollectionOrders["plan"] = (...order) => this.#tell("plan", ...order);
  readonly list: CollectionOrders["list"] = (...order) => this.#tell("list", ...order);
  readonly get: CollectionOrders["get"] = (...order) => this.#tell("get", ...order);
  readonly cancel: CollectionOrders["cancel"] = (...order) => this.#tell("cancel", ...order);

  /** Takes over what the thread counted. To be repeated; the first call starts the thread. */
  async report(): Promise<void> {
    if (!this.#options.collects) return;
    const reported = await this.#tell("report");
    this.#health = reported.health;
    countCollection(this.#options.metrics, reported);
  }

  async close(): Promise<void> {
    const { collects, logger } = this.#options;
    try {
      if (collects) await this.#tell("close");
    } catch (error) {
      logger.error({ error: String(error) }, "closing the collection failed");
    }
    await this.#thread.close();
  }

  async #tell<Name extends keyof CollectionOrders>(
    name: Name,
    ...parameters: Parameters<CollectionOrders[Name]>
  ): Promise<Awaited<ReturnType<CollectionOrders[Name]>>> {
    const outcome = await this.#outcomeOf({ name, parameters });
    if (outcome.kind === "failed") throw new FailedWorkError(outcome);
    return outcome.result as Awaited<ReturnType<CollectionOrders[Name]>>;
  }

  async #outcomeOf(order: CollectionOrder): Promise<CollectionOutcome> {
    try {
      return await this.#thread.send(order);
    } catch (error) {
      if (!(error instanceof ThreadEndedError)) throw error;
      return { kind: "failed", why: "other", reason: error.message };
    }
  }
}
