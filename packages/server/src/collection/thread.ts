import type { CollectionsResponse, ListedCollection, Provider, Vendor } from "@sightline/contract";
import type { AnswerStoreAddress } from "../answers/open-answer-store.ts";
import { type Actor, theService } from "../platform/actor.ts";
import type { LogFormat, Logger, LogLevel } from "../platform/logger.ts";
import type { Metrics } from "../platform/metrics.ts";
import { type Remote, Thread } from "../platform/thread.ts";
import type { CollectionTally, VendorHealth } from "./counts.ts";
import type { PlanOrder, PlanOutcome } from "./plan.ts";
import type { ReadingOrder, ReadingOutcome } from "./plan-reading.ts";
import type { PriceList } from "./price-list.ts";
import type { ReaderConfig } from "./reader-config.ts";

/** The data of the thread. It is never logged. */
export interface CollectionThreadData {
  readonly records: AnswerStoreAddress;
  /** Whether the thread may collect, or only serves calls. */
  readonly collects: boolean;
  /** Opens the accounts' own credentials. */
  readonly boxKey: Uint8Array;
  readonly secrets: Readonly<Partial<Record<Vendor, string>>>;
  readonly standIn: string | null;
  readonly prices: PriceList;
  /** The model that reads answers; null: there is none. */
  readonly reader: ReaderConfig | null;
  readonly concurrency: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat | undefined;
}

/** The calls that the thread serves. `now`: the caller's time, in milliseconds since 1970. */
export interface CollectionApi {
  /** The counts since the last report, and the state of the vendors. The first call collects. */
  readonly report: () => Promise<{
    readonly tally: CollectionTally;
    readonly health: readonly VendorHealth[];
  }>;
  /** Plans a sweep for now; for a dry run only estimates it. */
  readonly plan: (order: PlanOrder, by: Actor) => Promise<PlanOutcome>;
  /** Plans the reading of answers; for a dry run only estimates it. */
  readonly read: (order: ReadingOrder, by: Actor) => Promise<ReadingOutcome>;
  /** The reply of GET /v1/collections. */
  readonly list: (accountId: string, now: number) => Promise<CollectionsResponse>;
  /** A sweep; null: the account does not have it. */
  readonly get: (accountId: string, sweepId: string) => Promise<ListedCollection | null>;
  /** Cancels a sweep: no further questions are sent. Null: the account does not have it. */
  readonly cancel: (
    accountId: string,
    sweepId: string,
    order: { readonly now: number; readonly by: Actor },
  ) => Promise<ListedCollection | null>;
  /** Stops; running requests get a few seconds to end. */
  readonly close: () => Promise<void>;
}

/** Dependencies of the thread. */
export interface CollectionThreadOptions extends CollectionThreadData {
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Whether any account has a credential of its own. */
  readonly hasStored: () => Promise<boolean>;
}

const workerFile = new URL("./worker.ts", import.meta.url);

/**
 * Collects in a thread of its own, which also serves all reads and writes of whole sweeps: their
 * 100,000 jobs would block the queries. A crashed thread is replaced at the next report.
 */
export class CollectionThread {
  readonly #options: CollectionThreadOptions;
  readonly #thread: Thread<CollectionApi>;
  #health: readonly VendorHealth[] = [];
  /** Whether there is a credential to collect with: until then the thread is not started. */
  #isNeeded = false;

  constructor(options: CollectionThreadOptions) {
    const { logger: _logger, metrics: _metrics, hasStored: _hasStored, ...data } = options;
    this.#options = options;
    this.#thread = new Thread(workerFile, data satisfies CollectionThreadData);
  }

  /**
   * The state of the vendors at the last report; empty: this node does not collect, or has not
   * reported yet.
   */
  get health(): readonly VendorHealth[] {
    return this.#health;
  }

  /** The calls of the thread. */
  get api(): Remote<Omit<CollectionApi, "report" | "close">> {
    return this.#thread.api;
  }

  /** What an answer of each provider costs an account, in US dollars, as a sweep is estimated. */
  async answerPrices(accountId: string): Promise<ReadonlyMap<Provider, number>> {
    const planned = await this.#thread.api.plan({ accountId, dryRun: true }, theService);
    const sums = new Map<Provider, { jobs: number; micros: number }>();
    for (const { provider, jobs, micros } of planned.kind === "planned" ? planned.estimates : []) {
      const own = sums.get(provider) ?? { jobs: 0, micros: 0 };
      sums.set(provider, { jobs: own.jobs + jobs, micros: own.micros + micros });
    }
    const priced = [...sums].filter(([, { jobs }]) => jobs > 0);
    return new Map(priced.map(([name, { jobs, micros }]) => [name, micros / jobs / 1_000_000]));
  }

  /**
   * Takes the thread's counts into the metrics. Call it repeatedly; the first call starts the
   * thread.
   */
  async report(): Promise<void> {
    const { collects, secrets, hasStored } = this.#options;
    if (!collects) return;
    this.#isNeeded ||= Object.keys(secrets).length > 0 || (await hasStored());
    if (!this.#isNeeded) return;
    const reported = await this.#thread.api.report();
    this.#health = reported.health;
    countCollection(this.#options.metrics, reported);
  }

  async close(): Promise<void> {
    const { logger } = this.#options;
    try {
      if (this.#isNeeded) await this.#thread.api.close();
    } catch (error) {
      logger.error({ error: String(error) }, "closing the collection failed");
    }
    await this.#thread.close();
  }
}

/** A report of the thread. */
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
