import { randomUUID } from "node:crypto";
import type { Vendor } from "@sightline/contract";
import type { AnswerStore } from "../answers/answer-store.ts";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import type { RepeatedWork } from "../platform/repeat.ts";
import { accountReader } from "./account-of.ts";
import type { Adapter } from "./adapter.ts";
import { CollectionCounts, type CollectionTally, type VendorHealth } from "./collection-counts.ts";
import { Collector } from "./collector.ts";
import { noteEveryMs } from "./collectors-health.ts";
import type { Credentials } from "./credentials.ts";
import { keepReplies } from "./keep-replies.ts";
import type { Prices } from "./prices/prices.ts";
import { publishParts } from "./publish-parts.ts";
import { jobReader } from "./read-job.ts";
import type { AskedVendor, SendRequest } from "./run-tools.ts";
import { planDueSchedules } from "./schedule/plan-due-schedules.ts";
import { dropCollector, noteCollector } from "./store/collector-notes.ts";
import { forgetSweeps } from "./store/forget-sweeps.ts";
import { Timetable } from "./timetable.ts";
import { sendVendorRequest } from "./transport/send-vendor-request.ts";
import { VendorCircuit } from "./vendor-circuit.ts";
import { VendorPlaces } from "./vendor-places.ts";

/** What collection runs on. */
export interface CollectionTools {
  readonly control: Control;
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
  #noting: Promise<unknown> = Promise.resolve();

  constructor(tools: CollectionTools) {
    const { control, answers, prices, clock, random, logger } = tools;
    this.#tools = tools;
    const timetable = new Timetable(clock);
    this.#collector = new Collector({
      ...{ control, prices, clock, random, logger, timetable },
      answers: keepReplies({ answers, clock, timetable }),
      vendors: askedVendors(tools),
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
    return this.#collector.look();
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
  async noteHealth(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { control, clock } = this.#tools;
    const report = JSON.stringify(this.health());
    const noted = noteCollector(control, this.#id, report, clock.now());
    this.#noting = noted.catch(() => undefined);
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
      { what: "noting how vendors stand", everyMs: noteEveryMs, work: () => this.noteHealth() },
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
    await this.#noting;
    // One that could not say so is forgotten when it is silent.
    await dropCollector(this.#tools.control, this.#id).catch((error: unknown) => {
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
function askedVendors({ adapters, credentials, concurrency, clock }: CollectionTools) {
  const asked = adapters.filter(({ vendor }) => credentials.of(vendor) !== null);
  return new Map<Vendor, AskedVendor>(
    asked.map((adapter) => [
      adapter.vendor,
      { adapter, circuit: new VendorCircuit(clock), places: new VendorPlaces(concurrency) },
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
