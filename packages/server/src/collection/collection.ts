import { randomUUID } from "node:crypto";
import type { CollectionsResponse, ListedCollection, Vendor } from "@sightline/contract";
import { revisionOf, workspaceOf } from "../accounts/account-store.ts";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
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
import { type PlanOrder, type PlanOutcome, planDueSchedules, planNow } from "./plan.ts";
import type { Prices } from "./prices.ts";
import { publishParts } from "./publish-parts.ts";
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
import { adapters } from "./vendors/index.ts";

/** What collection runs on. */
interface CollectionTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly adapters: readonly Adapter[];
  readonly credentials: Credentials;
  /** As `standInAddress` gives it; null: the vendors themselves are asked. */
  readonly standIn: string | null;
  readonly prices: Prices;
  /** The most requests to a vendor at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly logger: Logger;
}

/**
 * Asks the providers: plans what is due, asks it, and publishes what has ended. Nothing happens by
 * itself: each part is called again and again, by `works` or by a test that holds the clock.
 */
export class Collection {
  readonly #tools: CollectionTools;
  /** Of this process, where others look who collects. */
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
      account: accountReader(control),
      send: sender(tools),
      counts: this.#counts,
    });
  }

  /** Plans the sweeps that are due. @returns how many. */
  plan(): Promise<number> {
    const { vendors } = this.#tools.credentials;
    return planDueSchedules({ ...this.#tools, vendors }, this.#stop.signal);
  }

  /** Begins jobs that are due, and goes on with those that have waited. */
  ask(): Promise<void> {
    return this.#collector.poll();
  }

  /** Resolves when no job runs but those that wait for their time. */
  settled(): Promise<void> {
    return this.#collector.settled();
  }

  /** Records the answers of parts that have ended. @returns how many parts. */
  publish(): Promise<number> {
    const { adapters, answers } = this.#tools;
    const readJobs = jobReader({ answers, adapterOf: (vendor) => adapterOf(adapters, vendor) });
    const tools = { ...this.#tools, counts: this.#counts, readJobs };
    const published = publishParts(tools, this.#stop.signal);
    this.#publishing = published.catch(() => undefined);
    return published;
  }

  /** Forgets old sweeps. */
  async forget(): Promise<void> {
    const { control, clock } = this.#tools;
    while (!this.#stop.signal.aborted && (await forgetSweeps(control, clock.now())));
  }

  /** Notes for other processes that this one collects, and how vendors stand with it. */
  async reportHealth(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { control, clock } = this.#tools;
    const report = JSON.stringify(this.health());
    const noted = saveCollectorReport(control, this.#id, report, clock.now());
    this.#reporting = noted.catch(() => undefined);
    await noted;
  }

  /** What is to be repeated. @param plans whether schedules are planned too. */
  works(plans = true): readonly RepeatedWork[] {
    const nothing = () => undefined;
    const planning = {
      what: "planning sweeps",
      everyMs: 1_000,
      work: () => this.plan().then(nothing),
    };
    return [
      ...(plans ? [planning] : []),
      { what: "asking for answers", everyMs: 100, work: () => this.ask() },
      { what: "publishing sweeps", everyMs: 1_000, work: () => this.publish().then(nothing) },
      { what: "noting how vendors stand", everyMs: reportEveryMs, work: () => this.reportHealth() },
      { what: "forgetting sweeps", everyMs: 3_600_000, work: () => this.forget() },
    ];
  }

  /** What was counted since it was taken last. */
  takeCounts(): CollectionTally {
    return this.#counts.take();
  }

  /** Of every vendor that has an adapter. */
  health(): readonly VendorHealth[] {
    const asked = new Map(this.#collector.health().map((each) => [each.vendor, each]));
    return this.#tools.adapters.map(({ vendor }) => {
      return asked.get(vendor) ?? this.#counts.health(vendor, null);
    });
  }

  /** As `Collector.close`. */
  async close(grace: Promise<void>): Promise<void> {
    this.#stop.abort();
    await this.#collector.close(grace);
    await this.#publishing;
    await this.#reporting;
    // One that could not say so is forgotten when it is silent.
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

/** Jobs of the others are left to nodes that have a credential for them. */
function activeVendors({ adapters, credentials, concurrency, clock }: CollectionTools) {
  const asked = adapters.filter(({ vendor }) => credentials.of(vendor) !== null);
  return new Map<Vendor, ActiveVendor>(
    asked.map((adapter) => [
      adapter.vendor,
      {
        adapter,
        circuit: new VendorCircuit(clock),
        concurrency: new VendorConcurrency(concurrency),
      },
    ]),
  );
}

function sender({ credentials, standIn }: CollectionTools): SendRequest {
  const hideSecrets = (text: string) => credentials.hideSecrets(text);
  return async ({ vendor, hosts, authorize }, request, signal) => {
    const credential = credentials.of(vendor);
    if (credential === null) return { kind: "not-sent", reason: "there is no credential" };
    const authorized = authorize(request, credential);
    return sendVendorRequest(request, authorized, { hosts, standIn, signal, hideSecrets });
  };
}

export { isCollectionOff, reasonOf, startedCollection } from "./listed-collections.ts";
export type { PlanOrder, PlanOutcome };

/** What collection works on. */
interface CollectionServiceTools {
  readonly control: ControlEngine;
  readonly answers: AnswerStore;
  readonly clock: Clock;
  readonly config: CollectionConfig;
  /** How many requests a vendor gets at a time. */
  readonly concurrency: number;
  readonly logger: Logger;
}

/** What collects, and what it is told: of a command, or of the thread of a service. */
export class CollectionService {
  readonly #tools: CollectionServiceTools;

  constructor(tools: CollectionServiceTools) {
    this.#tools = tools;
  }

  /** Plans a sweep for now, or says what it would be. */
  plan(order: PlanOrder): Promise<PlanOutcome> {
    const { control, clock, config } = this.#tools;
    const { prices, credentials } = config;
    return planNow({ control, clock, prices, adapters, vendors: credentials.vendors }, order);
  }

  /** As GET /v1/collections. */
  list(accountId: string, now = this.#tools.clock.now()): Promise<CollectionsResponse> {
    return listedCollections(this.#tools, accountId, now);
  }

  /** Null: the account has no such sweep. */
  async get(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const { control, clock } = this.#tools;
    const sweep = await sweepById(control, accountId, sweepId.toLowerCase(), clock.now());
    return sweep === null ? null : listedSweep(sweep);
  }

  /** Sends no further question of a sweep. Null: the account has no such sweep. */
  async cancel(
    accountId: string,
    sweepId: string,
    now = this.#tools.clock.now(),
  ): Promise<ListedCollection | null> {
    await cancelSweep(this.#tools.control, accountId, sweepId.toLowerCase(), now);
    return this.get(accountId, sweepId);
  }

  /**
   * Lets the parts of a sweep that are held back count as they are. Null: the account has no such
   * sweep.
   */
  async accept(accountId: string, sweepId: string): Promise<ListedCollection | null> {
    const id = sweepId.toLowerCase();
    const { control, clock } = this.#tools;
    const sweep = await sweepById(control, accountId, id, clock.now());
    for (const { provider, surface, suspicious } of sweep?.parts ?? []) {
      if (suspicious.length === 0) continue;
      await acceptPart(control, { accountId, sweepId: id, provider, surface });
    }
    return this.get(accountId, id);
  }

  /** What asks, from this process. */
  collector(): Collection {
    const { config, ...tools } = this.#tools;
    return new Collection({ ...tools, ...config, adapters, random: Math.random });
  }
}

/** Accounts whose prompts stay in memory: those of jobs that run now. */
const accountsMax = 8;

interface KnownAccount {
  readonly revision: number;
  readonly account: JobAccount;
}

/** Reads what jobs need of their accounts, once for each change of a workspace. */
function accountReader(control: ControlEngine): (accountId: string) => Promise<JobAccount | null> {
  const known = new Map<string, Promise<KnownAccount | null>>();
  const read = async (accountId: string, revision: number): Promise<KnownAccount | null> => {
    const workspace = await workspaceOf(control, accountId);
    if (workspace === null) return null;
    const asked = workspace.prompts.filter(({ paused }) => !paused);
    const texts = new Map(asked.map(({ id, text }) => [id, text]));
    const promptText = (promptId: string) => texts.get(promptId) ?? null;
    return { revision, account: { caps: capsOf(workspace), promptText } };
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

/** What replies are kept with. */
interface KeepReplies {
  readonly answers: Pick<AnswerStore, "keepRaw" | "raw">;
  readonly clock: Pick<Clock, "elapsed">;
  readonly timers: ClockTimers;
}

const againMs = 1_000;
/** An engine that restarts is back within minutes; one that is lost needs somebody. */
const triedForMs = 10 * 60_000;

/**
 * Keeps replies also where their engine is away for a moment: they are paid for, and without them a
 * job is not asked again. The job's lease is renewed meanwhile, and it keeps its place, so that no
 * more is asked than can be kept.
 */
function keepReplies({ answers, clock, timers }: KeepReplies): RunTools["answers"] {
  return {
    raw: (accountId, answerId) => answers.raw(accountId, answerId),
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
