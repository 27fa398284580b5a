import { randomUUID } from "node:crypto";
import { type Ask, type Provider, type Vendor, vendors } from "@sightline/contract";
import { workspaceOf } from "../accounts/account-store.ts";
import {
  type Cadence,
  cadenceKey,
  type DueSlot,
  dueSlots,
  nextSlotAt,
  plannedAt,
} from "../accounts/cadence.ts";
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
import type { Estimate, Means, Prices } from "./prices.ts";
import type { NewJob, NewSweep } from "./store/collection-store.ts";
import { claimSchedule, recordPlanned, schedulesDue } from "./store/schedule-store.ts";
import { sweepById, sweepsOf } from "./store/sweep-reads.ts";
import { addSweep } from "./store/sweep-store.ts";
import { type SkippedVendor, vendorAvailability, vendorChoice } from "./vendor-choice.ts";

/** An order of a sweep for now. */
export interface PlanOrder {
  readonly accountId: string;
  /** In lower case; omitted: all. */
  readonly promptIds?: readonly string[];
  /** In lower case; omitted: all. */
  readonly topicIds?: readonly string[];
  /** Omitted: those of the workspace; likewise regions and samples. */
  readonly providers?: readonly Provider[];
  readonly regions?: readonly string[];
  readonly samples?: number;
  /** Only estimates the sweep. */
  readonly dryRun: boolean;
}

/** Jobs that will have no answer, and why. */
export interface UnansweredJobs {
  readonly provider: Provider;
  readonly surface: Surface;
  readonly vendor: Vendor;
  /** Why the vendor refuses them; null: no collecting process has its credential. */
  readonly reason: string | null;
  readonly jobs: number;
}

/** The outcome of an order. */
export type PlanOutcome =
  | {
      readonly kind: "planned";
      /** Null: a dry run, or nothing to ask. */
      readonly sweepId: string | null;
      /** The number of estimated jobs: all for a dry run, otherwise those that are planned. */
      readonly jobs: number;
      /** The expected usage and cost, by provider. */
      readonly estimates: readonly Estimate[];
      /** Vendors for which a collecting process has a credential. */
      readonly askable: ReadonlySet<Vendor>;
      /** The date of the price list: YYYY-MM-DD. */
      readonly pricesDate: string;
      readonly unanswered: readonly UnansweredJobs[];
      /** Preferred vendors that are skipped, and why. */
      readonly skipped: readonly SkippedVendor[];
      /** For people: caps that stop all questions, models without a price. */
      readonly warnings: readonly string[];
    }
  | { readonly kind: "no-account" }
  | { readonly kind: "too-many"; readonly jobsMax: number };

/** Dependencies of an order. */
interface PlanNowTools {
  readonly control: ControlEngine;
  readonly adapters: readonly Adapter[];
  readonly prices: Prices;
  readonly clock: Clock;
  /** The vendors that this process queries; those of other processes are in control. */
  readonly vendors: readonly Vendor[];
}

/** How many of the latest sweeps the mean cost of answers is taken from. */
const sweepsOfMeans = 5;

/** Plans or estimates a sweep for now. */
export async function planNow(tools: PlanNowTools, order: PlanOrder): Promise<PlanOutcome> {
  const { control, adapters, prices, clock } = tools;
  const { accountId, dryRun } = order;
  const workspace = await workspaceOf(control, accountId);
  if (workspace === null) return { kind: "no-account" };
  const availabilityOf = await vendorAvailability(tools, accountId);
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

/** Not cached: an adapter decides in a microsecond. */
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

/** The mean cost of a vendor's answers in the latest published sweeps. */
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

/** Groups the jobs that will have no answer. @param reasonOf undefined: the job can be asked. */
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

/** The prompts of a sweep: those of one cadence, or a selection of all. */
type Wanted = { readonly cadence: Cadence } | { readonly selection: Selection };

/** The highest cost of an attempt at a question, in millionths of a dollar. */
type ReserveOf = (ask: Ask, promptText: string) => number;

/** What jobs are made of. */
interface JobsToPlan {
  /** The slot of the jobs: milliseconds since 1970, UTC. */
  readonly slot: number;
  readonly wanted: Wanted;
  readonly reserveOf: ReserveOf;
  /** Chooses the vendor of an ask; omitted: as the workspace declares. */
  readonly chosen?: (ask: Ask) => Ask;
  /** Whether to skip questions that a vendor refuses, such as those of an unknown region. */
  readonly leavesOutRefused?: boolean;
}

/** The jobs of a slot. Their ids are deterministic, so planning a slot again adds none. */
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

/** The number of these jobs, without making them. */
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

/** How long a sweep runs: questions that a cap stops get a part of the next UTC day. */
const sweepWithinMs = 24 * 3_600_000;

/** What the sweep of a slot is made of. */
interface SweepToPlan extends Pick<JobsToPlan, "reserveOf" | "chosen"> {
  readonly withinMs?: number;
}

/** The id of a slot's sweep; deterministic, on every node. */
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

/** One ask for each provider on a surface. */
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

/** Dependencies of planning schedules. */
interface PlanTools {
  readonly control: ControlEngine;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The vendors that this process queries; those of other processes are in control. */
  readonly vendors: readonly Vendor[];
}

/**
 * The highest number of jobs in a sweep: more are a mistake in the workspace and would fill
 * control.
 */
const sweepJobsMax = 200_000;
/**
 * Longer than planning a large workspace takes; a crashed worker's schedule is then planned by
 * another.
 */
const claimMs = 5 * 60_000;
const accountsMax = 20;

/** Plans the sweeps whose slots are due. @returns how many. */
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

/** Plans the sweep of a slot. @returns false: it has too many jobs. */
async function planSlot(tools: PlanTools, workspace: Workspace, due: DueSlot): Promise<boolean> {
  const { control, clock, prices, logger } = tools;
  const { accountId } = workspace;
  // A process that crashed while planning the sweep chose vendors, which may have been queried
  // already.
  const before = await sweepById(control, accountId, scheduledSweepId(accountId, due), clock.now());
  const { chosen, skipped } = vendorChoice(workspace, {
    availabilityOf: await vendorAvailability(tools, accountId),
    parts: before?.parts ?? [],
  });
  // A missed slot gets the same time as a current one.
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
  /** Makes the same sweep at each call; its jobs can be iterated once. */
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

/** Reserves the highest cost of a question's first request, by the prices at `at`. */
function reserveBy(prices: Prices, at: number): ReserveOf {
  return (ask) => prices.reserveMicrosOf({ ...ask, at });
}
