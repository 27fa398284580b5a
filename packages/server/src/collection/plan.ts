import { randomUUID } from "node:crypto";
import { type Ask, type Provider, type Vendor, vendors } from "@sightline/contract";
import { workspaceOf } from "../accounts/account-store.ts";
import type { Workspace } from "../accounts/workspace.ts";
import type { Surface } from "../answers/answer.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logger.ts";
import { uuidV5 } from "../platform/uuid.ts";
import type { Adapter } from "./adapter.ts";
import { askWarnings, refusalOf } from "./ask-warnings.ts";
import {
  cadencesOf,
  type EffectiveAsk,
  effectiveAsks,
  regionsOf,
  type Selection,
  selectedAsks,
} from "./asks.ts";
import {
  type Cadence,
  cadenceKey,
  type DueSlot,
  dueSlots,
  nextSlotAt,
  plannedAt,
} from "./cadence.ts";
import type { Estimate, Means, Prices } from "./prices.ts";
import type { NewJob, NewSweep } from "./store/collection-store.ts";
import { claimSchedule, recordPlanned, schedulesDue } from "./store/schedule-store.ts";
import { sweepById, sweepsOf } from "./store/sweep-reads.ts";
import { addSweep } from "./store/sweep-store.ts";
import { type SkippedVendor, vendorAvailability, vendorChoice } from "./vendor-choice.ts";

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
interface PlanNowTools {
  readonly control: ControlEngine;
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
  const workspace = await workspaceOf(control, accountId);
  if (workspace === null) return { kind: "no-account" };
  const availabilityOf = await vendorAvailability(tools);
  const askable = new Set(vendors.filter((vendor) => availabilityOf(vendor).hasCredential));
  const { chosen, skipped } = vendorChoice(workspace, { availabilityOf });
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
  const estimates = prices.estimate(priced, await meansOf(control, accountId, slot));
  const parts = askedParts(workspace, { selection: all }, chosen);
  const isAdded = !dryRun && taken.length > 0;
  const make = (): NewSweep => ({
    id,
    slot,
    source: "now",
    deadline: slot + sweepWithinMs,
    jobs: made({ ...all, vendors: askable }, true),
  });
  if (isAdded) await addWithinBound(tools, { accountId, make });
  return {
    kind: "planned",
    sweepId: isAdded ? id : null,
    jobs: taken.length,
    estimates,
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
async function meansOf(control: ControlEngine, accountId: string, now: number): Promise<Means> {
  const sums = new Map<string, { jobs: number; micros: number }>();
  for (const { parts } of await sweepsOf(control, accountId, sweepsOfMeans, now)) {
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

/** What is asked: one cadence's prompts, or a selection of all. */
type Wanted = { readonly cadence: Cadence } | { readonly selection: Selection };

/** What an attempt at a question may cost at most, in millionths of a dollar. */
type ReserveOf = (ask: Ask, promptText: string) => number;

/** How jobs are made. */
interface JobsToPlan {
  /** Milliseconds since 1970, UTC: the time that the jobs are for. */
  readonly slot: number;
  readonly wanted: Wanted;
  readonly reserveOf: ReserveOf;
  /** The vendor to ask for it; omitted: as the workspace has it. */
  readonly chosen?: (ask: Ask) => Ask;
  /** Whether to leave out what a vendor will refuse, such as a region that it does not take. */
  readonly leavesOutRefused?: boolean;
}

/** The jobs of a slot, whose ids are the same however often it is planned. */
export function* jobsOf(
  workspace: Workspace,
  { slot, wanted, reserveOf, chosen = (ask) => ask, leavesOutRefused = false }: JobsToPlan,
): Generator<NewJob> {
  for (const { prompt, asks, regions, samples } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) {
      const { provider, surface, vendor, model } = ask;
      const reserveMicros = reserveOf(ask, prompt.text);
      const place = placeOf(ask);
      for (const region of regionsOf(ask, regions)) {
        if (leavesOutRefused && refusalOf(ask, region) !== null) continue;
        for (let sample = 0; sample < samples; sample++) {
          const unique = [prompt.id, provider, surface, region ?? "", slot, sample];
          const id = uuidV5(workspace.accountId, `job ${unique.join(" ")}`);
          const asked = { promptId: prompt.id, provider, surface, vendor, model };
          yield { id, ...asked, region, ...place, sample, reserveMicros };
        }
      }
    }
  }
}

function placeOf({ state, city }: Ask): Pick<NewJob, "place"> {
  if (state === undefined && city === undefined) return {};
  return { place: { state: state ?? null, city: city ?? null } };
}

/** How many jobs those are, which is known long before each is made. */
function jobCountOf(
  workspace: Workspace,
  { wanted, chosen = (ask) => ask }: Pick<JobsToPlan, "wanted" | "chosen">,
): number {
  let count = 0;
  for (const { asks, regions, samples } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) count += regionsOf(ask, regions).length * samples;
  }
  return count;
}

/** How long a sweep goes on: what a cap stops gets some of the next UTC day. */
const sweepWithinMs = 24 * 3_600_000;

/** How a sweep of a slot is made. */
interface SweepToPlan extends Pick<JobsToPlan, "reserveOf" | "chosen"> {
  readonly withinMs?: number;
}

/** The id of a slot's sweep: who plans it again, on this node or another, gives the same one. */
function scheduledSweepId(accountId: string, { cadence, slot }: DueSlot): string {
  return uuidV5(accountId, `sweep ${slot} ${cadenceKey(cadence)}`);
}

/** The sweep of a slot. */
export function scheduledSweep(
  workspace: Workspace,
  due: DueSlot,
  { withinMs = sweepWithinMs, ...made }: SweepToPlan,
): NewSweep {
  const { cadence, slot } = due;
  return {
    id: scheduledSweepId(workspace.accountId, due),
    slot,
    source: "schedule",
    deadline: slot + withinMs,
    jobs: jobsOf(workspace, { slot, wanted: { cadence }, leavesOutRefused: true, ...made }),
  };
}

/** What is asked, once for each provider on a surface. */
function askedParts(
  workspace: Workspace,
  wanted: Wanted,
  chosen: (ask: Ask) => Ask,
): readonly Ask[] {
  const parts = new Map<string, Ask>();
  for (const { asks } of wantedAsks(workspace, wanted, chosen)) {
    for (const ask of asks) parts.set(`${ask.provider} ${ask.surface}`, ask);
  }
  return [...parts.values()];
}

function* wantedAsks(
  workspace: Workspace,
  wanted: Wanted,
  chosen: (ask: Ask) => Ask,
): Generator<EffectiveAsk> {
  if ("selection" in wanted) return yield* selectedAsks(workspace, wanted.selection, chosen);
  const key = cadenceKey(wanted.cadence);
  for (const each of effectiveAsks(workspace, { chosen })) {
    if (each.cadence !== null && cadenceKey(each.cadence) === key) yield each;
  }
}

/** What schedules are planned with. */
interface PlanTools {
  readonly control: ControlEngine;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Those that this process asks itself; those of others are found in control. */
  readonly vendors: readonly Vendor[];
}

/** The most jobs of a sweep: more are a mistake in the workspace, and fill control. */
const sweepJobsMax = 200_000;
/** Longer than planning a large workspace takes; a worker that dies leaves it to the next one. */
const claimMs = 5 * 60_000;
const accountsMax = 20;

/** Plans the sweeps whose slot has come. @returns how many. */
export async function planDueSchedules(tools: PlanTools, signal: AbortSignal): Promise<number> {
  const { control, clock, logger } = tools;
  let planned = 0;
  for (const due of await schedulesDue(control, clock.now(), accountsMax)) {
    if (signal.aborted) break;
    const claimed = await claimSchedule(control, due, clock.now() + claimMs);
    if (claimed === null) continue;
    const { accountId, plannedTo } = claimed;
    const workspace = await workspaceOf(control, accountId);
    const now = clock.now();
    const cadences = workspace === null ? [] : cadencesOf(workspace);
    for (const slot of dueSlots(cadences, plannedTo, now)) {
      if (workspace === null) break;
      if (await planSlot(tools, workspace, slot)) planned++;
      else logger.error({ accountId, jobsMax: sweepJobsMax }, "a sweep has too many jobs");
    }
    const noted = { plannedTo: plannedAt(cadences, now), nextAt: nextSlotAt(cadences, now) };
    await recordPlanned(control, claimed, noted);
  }
  return planned;
}

/** @returns false: it has too many jobs. */
async function planSlot(tools: PlanTools, workspace: Workspace, due: DueSlot): Promise<boolean> {
  const { control, clock, prices, logger } = tools;
  const { accountId } = workspace;
  // A process that planned a part of it and died chose the vendors, and may have had others asked
  // already.
  const before = await sweepById(control, accountId, scheduledSweepId(accountId, due), clock.now());
  const { chosen, skipped } = vendorChoice(workspace, {
    availabilityOf: await vendorAvailability(tools),
    parts: before?.parts ?? [],
  });
  // Of a slot that was missed: as long as if it came now.
  const withinMs = clock.now() - due.slot + sweepWithinMs;
  const made = { reserveOf: reserveBy(prices, clock.now()), chosen, withinMs };
  const make = () => scheduledSweep(workspace, due, made);
  if (!(await addWithinBound(tools, { accountId, make }))) return false;
  for (const ask of askedParts(workspace, { cadence: due.cadence }, chosen)) {
    for (const each of skipped(ask)) {
      logger.warn({ accountId, slot: due.slot, asked: ask.vendor, ...each }, "a vendor is skipped");
    }
  }
  return true;
}

interface SweepToAdd {
  readonly accountId: string;
  /** Makes the same sweep each time; its jobs can be read once. */
  readonly make: () => NewSweep;
}

/** Adds a sweep. @returns false: it has too many jobs. */
async function addWithinBound(
  { control, clock }: Pick<PlanTools, "control" | "clock">,
  { accountId, make }: SweepToAdd,
): Promise<boolean> {
  let jobs = 0;
  for (const _job of make().jobs) if (++jobs > sweepJobsMax) return false;
  if (jobs > 0) await addSweep(control, accountId, make(), clock.now());
  return true;
}

/** What the first request of a question reserves, by the prices of an instant. */
function reserveBy(prices: Prices, at: number): ReserveOf {
  return (ask) => prices.reserveMicrosOf({ ...ask, at });
}
