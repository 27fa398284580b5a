import { randomUUID } from "node:crypto";
import type { CollectionsResponse, ListedCollection, Vendor } from "@sightline/contract";
import { revisionOf, workspaceOf } from "../accounts/account-store.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import { actingFor, type ControlEngine } from "../control/control-engine.ts";
import type { SecretBox } from "../keys/secret-box.ts";
import type { Actor } from "../platform/actor.ts";
import type { Clock } from "../platform/clock.ts";
import { isEngineAway } from "../platform/failed-work.ts";
import type { Logger } from "../platform/logger.ts";
import type { RepeatedWork } from "../platform/repeat.ts";
import type { Adapter } from "./adapter.ts";
import { capsOf } from "./asks.ts";
import { Collector } from "./collector.ts";
import type { CollectionConfig, Credentials } from "./config.ts";
import { CollectionCounts, type CollectionTally, type VendorHealth } from "./counts.ts";
import { jobReader } from "./kept-replies.ts";
import { listedCollections, listedSweep } from "./listed-collections.ts";
import { OwnVendors } from "./own-vendors.ts";
import { type PlanOrder, type PlanOutcome, planDueSchedules, planNow } from "./plan.ts";
import { planReading, type ReadingOrder, type ReadingOutcome } from "./plan-reading.ts";
import type { Prices } from "./prices.ts";
import { publishParts } from "./publish-parts.ts";
import { type AnswerReader, answerReader } from "./read-answer.ts";
import {
  type ActiveVendor,
  ClockTimers,
  type JobAccount,
  type RunTools,
  type SendRequest,
  VendorCircuit,
  VendorConcurrency,
} from "./run-tools.ts";
import { sendVendorRequest } from "./send.ts";
import { deleteCollector, saveCollectorReport } from "./store/collector-reports.ts";
import { acceptPart } from "./store/part-store.ts";
import { sweepById } from "./store/sweep-reads.ts";
import { cancelSweep, forgetSweeps } from "./store/sweep-store.ts";
import { reportEveryMs } from "./vendor-choice.ts";
import { adapters, configuredAdapters } from "./vendors/index.ts";

/** Dependencies of collection. */
interface CollectionTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly adapters: readonly Adapter[];
  readonly credentials: Credentials;
  /** Opens the accounts' own credentials. */
  readonly secretBox: Pick<SecretBox, "open">;
  /** The address from `standInAddress`; null: the vendors themselves are queried. */
  readonly standIn: string | null;
  readonly prices: Prices;
  /** The highest number of concurrent requests to a vendor. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Gives a number from 0 to below 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/**
 * Collects answers: plans due sweeps, runs their jobs and publishes finished parts. It has no
 * timers of its own: each method is called repeatedly, by `works` or by a test that holds the
 * clock.
 */
export class Collection {
  readonly #tools: CollectionTools;
  /** The id of this process in the list of collectors. */
  readonly #id = randomUUID();
  readonly #counts = new CollectionCounts();
  readonly #collector: Collector;
  readonly #stop = new AbortController();
  #publishing: Promise<unknown> = Promise.resolve();
  #reporting: Promise<unknown> = Promise.resolve();

  constructor(tools: CollectionTools) {
    const { control, answers, prices, clock, random, logger } = tools;
    this.#tools = tools;
    const timers = new ClockTimers(clock);
    this.#collector = new Collector({
      control,
      prices,
      clock,
      random,
      logger,
      timers,
      answers: keepReplies({ answers, clock, timers }),
      vendors: activeVendors(tools),
      ownVendors: new OwnVendors({ ...tools, vendors: tools.credentials.vendors }),
      account: accountReader(control, answers),
      send: sender(tools),
      counts: this.#counts,
    });
  }

  /** Plans the due sweeps. @returns how many. */
  plan(): Promise<number> {
    const { vendors } = this.#tools.credentials;
    return planDueSchedules({ ...this.#tools, vendors }, this.#stop.signal);
  }

  /** Starts due jobs and continues those whose wait is over. */
  runJobs(): Promise<void> {
    return this.#collector.poll();
  }

  /** Resolves when all running jobs are waiting for their time. */
  settled(): Promise<void> {
    return this.#collector.settled();
  }

  /** Publishes the finished parts. @returns how many. */
  publish(): Promise<number> {
    const { adapters, answers } = this.#tools;
    const readJobs = jobReader({ answers, adapterOf: (vendor) => adapterOf(adapters, vendor) });
    const tools = { ...this.#tools, counts: this.#counts, readJobs };
    const published = publishParts(tools, this.#stop.signal);
    this.#publishing = published.catch(() => undefined);
    return published;
  }

  /** Deletes old sweeps. */
  async forget(): Promise<void> {
    const { control, clock } = this.#tools;
    while (!this.#stop.signal.aborted && (await forgetSweeps(control, clock.now())));
  }

  /** Reports to other processes that this one collects, and the state of its vendors. */
  async reportHealth(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { control, clock } = this.#tools;
    const report = JSON.stringify(this.health());
    const noted = saveCollectorReport(control, this.#id, report, clock.now());
    this.#reporting = noted.catch(() => undefined);
    await noted;
  }

  /** The tasks to repeat, with their intervals. @param plans whether to plan schedules, too. */
  works(plans = true): readonly RepeatedWork[] {
    const nothing = () => undefined;
    const planning = {
      what: "planning sweeps",
      everyMs: 1_000,
      work: () => this.plan().then(nothing),
    };
    return [
      ...(plans ? [planning] : []),
      { what: "asking for answers", everyMs: 100, work: () => this.runJobs() },
      { what: "publishing sweeps", everyMs: 1_000, work: () => this.publish().then(nothing) },
      { what: "noting how vendors stand", everyMs: reportEveryMs, work: () => this.reportHealth() },
      { what: "forgetting sweeps", everyMs: 3_600_000, work: () => this.forget() },
    ];
  }

  /** Takes the counts since the last call. */
  takeCounts(): CollectionTally {
    return this.#counts.take();
  }

  /** The state of every vendor that has an adapter. */
  health(): readonly VendorHealth[] {
    const asked = new Map(this.#collector.health().map((each) => [each.vendor, each]));
    return this.#tools.adapters.map(({ vendor }) => {
      return asked.get(vendor) ?? this.#counts.health(vendor, null);
    });
  }

  /** Stops as `Collector.close` does, and leaves the list of collectors. */
  async close(grace: Promise<void>): Promise<void> {
    this.#stop.abort();
    await this.#collector.close(grace);
    await this.#publishing;
    await this.#reporting;
    // Otherwise its entry expires.
    await deleteCollector(this.#tools.control, this.#id).catch((error: unknown) => {
      this.#tools.logger.warn({ error: String(error) }, "leaving the list of collectors failed");
    });
  }
}

function adapterOf(adapters: readonly Adapter[], vendor: Vendor): Adapter {
  const found = adapters.find((adapter) => adapter.vendor === vendor);
  if (found === undefined) throw new Error(`There is no adapter of ${vendor}.`);
  return found;
}

/** The vendors with a credential; jobs of the others are left to other nodes. */
function activeVendors({ adapters, credentials, concurrency, clock }: CollectionTools) {
  const asked = adapters.filter(({ vendor }) => credentials.of(vendor) !== null);
  return new Map<Vendor, ActiveVendor>(
    asked.map((adapter) => [
      adapter.vendor,
      {
        adapter,
        credentials,
        isOfService: true,
        circuit: new VendorCircuit(clock),
        concurrency: new VendorConcurrency(concurrency),
      },
    ]),
  );
}

function sender({ standIn }: CollectionTools): SendRequest {
  return async ({ adapter, credentials }, request, signal) => {
    const { vendor, hosts, endpoint, authorize } = adapter;
    const hideSecrets = (text: string) => credentials.hideSecrets(text);
    const credential = credentials.of(vendor);
    if (credential === null) return { kind: "not-sent", reason: "there is no credential" };
    const authorized = authorize(request, credential);
    return sendVendorRequest(request, authorized, {
      hosts,
      endpoint,
      standIn,
      signal,
      hideSecrets,
    });
  };
}

export { isCollectionOff, startedCollection } from "./listed-collections.ts";
export type { PlanOrder, PlanOutcome };

/** Dependencies of the collection service. */
interface CollectionServiceTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly config: CollectionConfig;
  readonly secretBox: Pick<SecretBox, "open">;
  /** The highest number of concurrent requests to a vendor. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** The operations on collection, for the thread of a service or for a command. */
export class CollectionService {
  readonly #tools: CollectionServiceTools;

  constructor(tools: CollectionServiceTools) {
    this.#tools = tools;
  }

  /** The same service, for what `actor` changes. */
  as(actor: Actor): CollectionService {
    return new CollectionService({
      ...this.#tools,
      control: actingFor(this.#tools.control, actor),
    });
  }

  /** Plans a sweep for now; for a dry run only estimates it. */
  plan(order: PlanOrder): Promise<PlanOutcome> {
    const { control, clock, config } = this.#tools;
    const { prices, credentials } = config;
    return planNow({ control, clock, prices, adapters, vendors: credentials.vendors }, order);
  }

  /** Plans or estimates the reading of answers by the configured model. */
  read(order: ReadingOrder): Promise<ReadingOutcome> {
    return planReading(this.#tools, order);
  }

  /** The reply of GET /v1/collections. */
  list(accountId: string, now = this.#tools.clock.now()): Promise<CollectionsResponse> {
    return listedCollections(this.#tools, accountId, now);
  }

  /** A sweep; null: the account does not have it. */
  async get(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const { control, clock } = this.#tools;
    const sweep = await sweepById(control, accountId, sweepId.toLowerCase(), clock.now());
    return sweep === null ? null : listedSweep(sweep);
  }

  /** Cancels a sweep: no further questions are sent. Null: the account does not have it. */
  async cancel(
    accountId: string,
    sweepId: string,
    now = this.#tools.clock.now(),
  ): Promise<ListedCollection | null> {
    await cancelSweep(this.#tools.control, accountId, sweepId.toLowerCase(), now);
    return this.get(accountId, sweepId);
  }

  /**
   * Accepts the parts of a sweep that are held back, so that they are published unchanged. Null:
   * the account does not have the sweep.
   */
  async accept(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const id = sweepId.toLowerCase();
    const { control, clock } = this.#tools;
    const sweep = await sweepById(control, accountId, id, clock.now());
    for (const { provider, surface, suspicious } of sweep?.parts ?? []) {
      if (suspicious.length === 0) continue;
      await acceptPart(control, { accountId, sweepId: id, provider, surface }, clock.now());
    }
    return this.get(accountId, id);
  }

  /** The collection that runs in this process. */
  collector(): Collection {
    const { config, ...tools } = this.#tools;
    return new Collection({
      ...tools,
      ...config,
      adapters: configuredAdapters(config),
      random: Math.random,
    });
  }
}

/** The number of cached accounts: those of running jobs. */
const accountsMax = 8;

interface KnownAccount {
  readonly revision: number;
  readonly account: JobAccount;
}

/** A cached reader of the accounts of jobs; an entry is reloaded when its workspace changes. */
function accountReader(
  control: ControlEngine,
  answers: Pick<AnswerStore, "byId">,
): (accountId: string) => Promise<JobAccount | null> {
  const known = new Map<string, Promise<KnownAccount | null>>();
  const read = async (accountId: string, revision: number): Promise<KnownAccount | null> => {
    const workspace = await workspaceOf(control, accountId);
    if (workspace === null) return null;
    const asked = workspace.prompts.filter(({ paused }) => !paused);
    const texts = new Map(asked.map(({ id, text }) => [id, text]));
    let reader: AnswerReader | null = null;
    const textOf: JobAccount["textOf"] = async ({ vendor, promptId }) => {
      if (vendor !== "reader") return texts.get(promptId) ?? null;
      const answer = await answers.byId(accountId, promptId);
      // Compiled when it is needed: most accounts have no answers read.
      reader ??= answerReader(workspace);
      return answer === null ? null : (reader.askedOf(answer)?.message ?? null);
    };
    return { revision, account: { caps: capsOf(workspace), textOf } };
  };
  return async (accountId) => {
    const revision = await revisionOf(control, accountId);
    if (revision === null) return null;
    const found = await known.get(accountId)?.catch(() => null);
    known.delete(accountId);
    const wanted =
      found?.revision === revision ? Promise.resolve(found) : read(accountId, revision);
    known.set(accountId, wanted);
    const [oldest] = known.keys();
    if (known.size > accountsMax && oldest !== undefined) known.delete(oldest);
    return (await wanted)?.account ?? null;
  };
}

/** Dependencies of storing replies. */
interface KeepReplies {
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw" | "removeRawOf">;
  readonly clock: Pick<Clock, "elapsed">;
  readonly timers: ClockTimers;
}

const againMs = 1_000;
/** An engine that restarts is back within minutes; a longer outage needs an operator. */
const triedForMs = 10 * 60_000;

/**
 * Stores raw replies and retries while their engine is unreachable: they are paid for, and without
 * them a job is not asked again. Meanwhile the job keeps its lease and its concurrency slot, so
 * that no more is asked than can be stored.
 */
function keepReplies({ answers, clock, timers }: KeepReplies): RunTools["answers"] {
  return {
    raw: (accountId, answerId) => answers.raw(accountId, answerId),
    removeRawOf: (accountId, answerIds) => answers.removeRawOf(accountId, answerIds),
    keepRaw: async (accountId, raw) => {
      const endMs = clock.elapsed() + triedForMs;
      for (;;) {
        try {
          return await answers.keepRaw(accountId, raw);
        } catch (error) {
          if (!isEngineAway(error) || clock.elapsed() >= endMs) throw error;
        }
        await timers.wait(againMs);
      }
    },
  };
}
