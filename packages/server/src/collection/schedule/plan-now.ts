import { randomUUID } from "node:crypto";
import type { Provider } from "@sightline/contract";
import type { NewJob, NewSweep } from "../../control/collection-store.ts";
import type { Control } from "../../control/control.ts";
import type { Clock } from "../../platform/clock.ts";
import { isEngineAway } from "../../platform/engine-away.ts";
import type { Adapter } from "../adapter.ts";
import { expectedUsage } from "../prices/expected-usage.ts";
import type { Estimate, Means, Prices } from "../prices/prices.ts";
import { addWithinBound, sweepJobsMax } from "./plan-due-schedules.ts";
import { jobsOf, sweepWithinMs } from "./plan-sweep.ts";
import { reserveBy } from "./reserve-of.ts";

/** A sweep for now. */
export interface PlanOrder {
  readonly accountId: string;
  /** Omitted: all. */
  readonly promptIds?: readonly string[];
  readonly providers?: readonly Provider[];
  /** Says what it would be. */
  readonly dryRun: boolean;
}

/** Jobs that a vendor cannot be asked for, and will fail. */
export interface RefusedJobs {
  readonly provider: Provider;
  readonly reason: string;
  readonly jobs: number;
}

/** What became of it. */
export type PlanOutcome =
  | {
      readonly kind: "planned";
      /** Null: it was a dry run, or there is nothing to ask. */
      readonly sweepId: string | null;
      readonly jobs: number;
      /** What it is expected to use and cost, by provider. */
      readonly estimates: readonly Estimate[];
      /** Of the price list: YYYY-MM-DD. */
      readonly pricesDate: string;
      readonly refused: readonly RefusedJobs[];
    }
  | { readonly kind: "no-account" }
  | { readonly kind: "too-many"; readonly jobsMax: number }
  | { readonly kind: "failed"; readonly why: "away" | "other"; readonly reason: string };

/** What a plan is made with. */
export interface PlanNowTools {
  readonly control: Control;
  readonly adapters: readonly Adapter[];
  readonly prices: Prices;
  readonly clock: Clock;
}

/** How many of the latest sweeps tell what answers cost. */
const sweepsOfMeans = 5;

/** Plans a sweep for now. Never throws. */
export async function planNow(tools: PlanNowTools, order: PlanOrder): Promise<PlanOutcome> {
  try {
    return await planned(tools, order);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "failed", why: isEngineAway(error) ? "away" : "other", reason };
  }
}

async function planned(
  { control, adapters, prices, clock }: PlanNowTools,
  { accountId, promptIds, providers, dryRun }: PlanOrder,
): Promise<PlanOutcome> {
  const workspace = await control.workspace(accountId);
  if (workspace === null) return { kind: "no-account" };
  const selection = {
    ...(promptIds === undefined ? {} : { promptIds: new Set(promptIds) }),
    ...(providers === undefined ? {} : { providers: new Set(providers) }),
  };
  const [id, slot] = [randomUUID(), clock.now()];
  const make = (): NewSweep => ({
    ...{ id, slot, source: "now", deadline: slot + sweepWithinMs },
    jobs: jobsOf(workspace, { slot, wanted: { selection }, reserveOf: reserveBy(prices) }),
  });
  const jobs: NewJob[] = [];
  for (const job of make().jobs) {
    if (jobs.length === sweepJobsMax) return { kind: "too-many", jobsMax: sweepJobsMax };
    jobs.push(job);
  }
  const estimates = prices.estimate(jobs, await meansOf(control, accountId));
  const refused = refusedOf(jobs, adapters);
  const isAdded = !dryRun && jobs.length > 0;
  if (isAdded) await addWithinBound(control, { accountId, make });
  return {
    ...{ kind: "planned", sweepId: isAdded ? id : null, jobs: jobs.length, estimates, refused },
    pricesDate: prices.list.date,
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
    return sum === undefined ? null : { ...expectedUsage(job), micros: sum.micros / sum.jobs };
  };
}

/** Prompts do not matter here: an adapter refuses surfaces, models and regions. */
function refusedOf(jobs: readonly NewJob[], adapters: readonly Adapter[]): readonly RefusedJobs[] {
  const kinds = Map.groupBy(jobs, ({ provider, surface, vendor, model, region }) => {
    return JSON.stringify([provider, surface, vendor, model, region]);
  });
  const refused = new Map<string, RefusedJobs>();
  for (const [job, ...others] of kinds.values()) {
    if (job === undefined) continue;
    const { provider, vendor } = job;
    const adapter = adapters.find((each) => each.vendor === vendor);
    const reason = adapter?.refusal({ ...job, prompt: "?" }) ?? null;
    if (reason === null) continue;
    const key = `${provider} ${reason}`;
    const earlier = refused.get(key)?.jobs ?? 0;
    refused.set(key, { provider, reason, jobs: earlier + 1 + others.length });
  }
  return [...refused.values()];
}
