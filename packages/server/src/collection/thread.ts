import type { CollectionsResponse, ListedCollection, Vendor } from "@sightline/contract";
import type { AnswerStoreAddress } from "../answers/open-answer-store.ts";
import type { LogFormat, Logger, LogLevel } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { type Remote, Thread } from "../platform/thread.ts";
import type { CollectionTally, VendorHealth } from "./counts.ts";
import type { PlanOrder, PlanOutcome } from "./plan.ts";
import type { PriceList } from "./price-list.ts";

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
export interface CollectionApi {
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

/** What the thread is run with. */
export interface CollectionThreadOptions extends CollectionThreadData {
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const workerFile = new URL("./worker.ts", import.meta.url);

/**
 * Asks the providers in a thread of its own, and does there all that reads or writes whole sweeps:
 * their 100,000 jobs would hold up the questions. One that dies is replaced at the next report.
 */
export class CollectionThread {
  readonly #options: CollectionThreadOptions;
  readonly #thread: Thread<CollectionApi>;
  #health: readonly VendorHealth[] = [];

  constructor(options: CollectionThreadOptions) {
    const { logger: _logger, metrics: _metrics, ...data } = options;
    this.#options = options;
    this.#thread = new Thread(workerFile, data satisfies CollectionThreadData);
  }

  /** Whether this node asks by itself. */
  get collects(): boolean {
    return this.#options.collects;
  }

  /** How vendors stood on this node at the last report; empty: it does not ask, or not yet. */
  get health(): readonly VendorHealth[] {
    return this.#health;
  }

  /** What the thread does when it is told to. */
  get api(): Remote<Omit<CollectionApi, "report" | "close">> {
    return this.#thread.api;
  }

  /** Takes over what the thread counted. To be repeated; the first call starts the thread. */
  async report(): Promise<void> {
    if (!this.#options.collects) return;
    const reported = await this.#thread.api.report();
    this.#health = reported.health;
    countCollection(this.#options.metrics, reported);
  }

  async close(): Promise<void> {
    const { collects, logger } = this.#options;
    try {
      if (collects) await this.#thread.api.close();
    } catch (error) {
      logger.error({ error: String(error) }, "closing the collection failed");
    }
    await this.#thread.close();
  }
}

/** What the thread reports. */
interface CollectionReport {
  readonly tally: CollectionTally;
  readonly health: readonly VendorHealth[];
}

/** Adds a report of the thread to the metrics. */
function countCollection(
  { collectionRequests, collectionJobs, collectionSpent, collectionParts, vendorUp }: Metrics,
  { tally, health }: CollectionReport,
): void {
  for (const { vendor, result, ms } of tally.requests) {
    collectionRequests.observe({ vendor, result }, ms / 1_000);
  }
  for (const { provider, result } of tally.jobs) collectionJobs.inc({ provider, result });
  for (const { vendor, micros } of tally.spent) {
    collectionSpent.inc({ vendor }, micros / 1_000_000);
  }
  for (const { provider, isFailed } of tally.published) {
    collectionParts.inc({ provider, result: isFailed ? "failed" : "published" });
  }
  for (const { vendor, state } of health) {
    if (state !== "no-credential") vendorUp.set({ vendor }, state === "ready" ? 1 : 0);
  }
}
