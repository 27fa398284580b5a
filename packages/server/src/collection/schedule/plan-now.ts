import { randomUUID } from "node:crypto";
import { type Provider, type Vendor, vendors } from "@sightline/contract";
import type { Surface } from "../../answers/answer.ts";
import type { Control } from "../../control/control.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Adapter } from "../adapter.ts";
import type { Estimate, Means, Prices } from "../prices/prices.ts";
import type { NewJob, NewSweep } from "../store/collection-store.ts";
import { askWarnings, refusalOf } from "./ask-warnings.ts";
import { addWithinBound, sweepJobsMax } from "./plan-due-schedules.ts";
import { askedParts, jobCountOf, jobsOf, sweepWithinMs } from "./plan-sweep.ts";
import { reserveBy } from "./reserve-of.ts";
import type { Selection } from "./select-asks.ts";
import { type SkippedVendor, vendorChoice } from "./vendor-choice.ts";
import { vendorStandings } from "./vendor-standings.ts";

/** A sweep for now. */
export interface PlanOrder {
  readonly accountId: string;
  /** Omitted: all. In lower case. */
  readonly promptIds?: readonly string[];
  /** Omitted: all. In lower case. */
  readonly topicIds?: readonly string[];
  /** Those of the workspace when omitted; so are regions and samples. */
  readonly providers?: readonly Provider[];
  readonly regions?: readonly string[];
  readonly samples?: number;
  /** Says what it would be. */
  readonly dryRun: boolean;
}

/** Jobs that will have no answer. */
export interface UnansweredJobs {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** Why the vendor cannot be asked; null: no process that collects has its credential. */
  readonly reason: string | null;
  readonly jobs: number;
}

/** What became of it. */
export type PlanOutcome =
  | {
      readonly kind: "planned";
      /** Null: it was a dry run, or there is nothing to ask. */
      readonly sweepId: string | null;
      /** Those that are estimated: of a dry run all, otherwise those that are asked. */
      readonly jobs: number;
      /** What it is expected to use and cost, by provider. */
      readonly estimates: readonly Estimate[];
      /** Vendors that some process which collects has a credential of. */
      readonly askable: ReadonlySet<Vendor>;
      /** Of the price list: YYYY-MM-DD. */
      readonly pricesDate: string;
      readonly unanswered: readonly UnansweredJobs[];
      /** Why others are asked than the first. */
      readonly skipped: readonly SkippedVendor[];
      /** For people: caps under which no question is sent, models without a price. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "no-account" }
  | { readonly kind: "too-many"; readonly jobsMax: number };

/** What a plan is made with. */
export interface PlanNowTools {
  readonly control: Control;
  readonly adapters: readonly Adapter[];
  readonly prices: Prices;
  readonly clock: Clock;
  /** Those that this process asks itself; those of others are found in control. */
  readonly vendors: readonly Vendor[];
}

/** How many of the latest sweeps tell what answers cost. */
const sweepsOfMeans = 5;

/** Plans a sweep for now. */
export async function planNow(tools: PlanNowTools, order: PlanOrder): Promise<PlanOutcome> {
  const { control, adapters, prices, clock } = tools;
  const { accountId, dryRun } = order;
  const workspace = await control.workspace(accountId);
  if (workspace === null) return { kind: "no-account" };
  const standingOf = await vendorStandings(tools);
  const askable = new Set(vendors.filter((vendor) => standingOf(vendor).hasCredential));
  const { chosen, skipped } = vendorChoice(workspace, { standingOf });
  const [id, slot, all] = [randomUUID(), clock.now(), selectionOf(order)];
  const reserveOf = reserveBy(prices, slot);
  const made = (selection: Selection, leavesOutRefused: boolean) =>
    jobsOf(workspace, { slot, wanted: { selection }, reserveOf, chosen, leavesOutRefused });
  if (jobCountOf(workspace, { wanted: { selection: all }, chosen }) > sweepJobsMax) {
    return { kind: "too-many", jobsMax: sweepJobsMax };
  }
  const jobs = [...made(all, false)];
  const asked = jobs.filter(({ vendor }) => askable.has(vendor));
  const taken = (dryRun ? jobs : asked).filter((job) => refusalOfJob(adapters, job) === null);
  const priced = taken.map((job) => ({ ...job, at: slot }));
  const estimates = prices.estimate(priced, await meansOf(control, accountId));
  const parts = askedParts(workspace, { selection: all }, chosen);
  const isAdded = !dryRun && taken.length > 0;
  const make = (): NewSweep => ({
    ...{ id, slot, source: "now", deadline: slot + sweepWithinMs },
    jobs: made({ ...all, vendors: askable }, true),
  });
  if (isAdded) await addWithinBound(control, { accountId, make });
  return {
    ...{ kind: "planned", sweepId: isAdded ? id : null, jobs: taken.length, estimates },
    askable,
    pricesDate: prices.list.date,
    unanswered: unansweredOf(jobs, (job) => {
      if (!askable.has(job.vendor)) return null;
      return refusalOfJob(adapters, job) ?? undefined;
    }),
    warnings: askWarnings(workspace, parts, { prices, at: slot }),
    skipped: parts.flatMap(skipped),
  };
}

/** 100,000 jobs have few kinds of refusals, and an adapter judges one in a microsecond. */
function refusalOfJob(adapters: readonly Adapter[], job: NewJob): string | null {
  return refusalOf(job, job.region, adapters);
}

function selectionOf({ promptIds, topicIds, providers, regions, samples }: PlanOrder): Selection {
  return {
    ...(promptIds === undefined ? {} : { promptIds: new Set(promptIds) }),
    ...(topicIds === undefined ? {} : { topicIds: new Set(topicIds) }),
    ...(providers === undefined ? {} : { providers: new Set(providers) }),
    ...(regions === undefined ? {} : { regions }),
    ...(samples === undefined ? {} : { samples }),
  };
}

/** What answers of a vendor cost in the latest sweeps that were published. */
async function meansOf(control: Control, accountId: string): Promise<Means> {
  const sums = new Map<string, { jobs: number; micros: number }>();
  for (const { parts } of await control.sweeps(accountId, sweepsOfMeans)) {
    for (const { provider, surface, vendor, publishedAt, done, spentMicros } of parts) {
      if (publishedAt === null || done === 0) continue;
      const key = `${provider} ${surface} ${vendor}`;
      const sum = sums.get(key) ?? { jobs: 0, micros: 0 };
      sums.set(key, { jobs: sum.jobs + done, micros: sum.micros + spentMicros });
    }
  }
  return (job) => {
    const sum = sums.get(`${job.provider} ${job.surface} ${job.vendor}`);
    return sum === undefined ? null : { micros: sum.micros / sum.jobs, answers: sum.jobs };
  };
}

/** @param reasonOf undefined: the job can be asked. */
function unansweredOf(
  jobs: readonly NewJob[],
  reasonOf: (job: NewJob) => string | null | undefined,
): readonly UnansweredJobs[] {
  const kinds = Map.groupBy(jobs, ({ provider, surface, vendor, model, region }) => {
    return JSON.stringify([provider, surface, vendor, model, region]);
  });
  const unanswered = new Map<string, UnansweredJobs>();
  for (const [job, ...others] of kinds.values()) {
    const reason = job === undefined ? undefined : reasonOf(job);
    if (job === undefined || reason === undefined) continue;
    const { provider, surface, vendor } = job;
    const key = JSON.stringify([provider, surface, vendor, reason]);
    const earlier = unanswered.get(key)?.jobs ?? 0;
    const jobs = earlier + 1 + others.length;
    unanswered.set(key, { provider, surface, vendor, reason, jobs });
  }
  return [...unanswered.values()];
}
