import {
  type CollectionEstimate,
  type CollectionPart,
  type CollectionsResponse,
  dayMs,
  type ListedCollection,
  type ListedVendor,
  type ProviderSpend,
  type StartedCollection,
  startOfMonth,
  sweepsListedMax,
} from "@sightline/contract";
import { workspaceOf } from "../accounts/account-store.ts";
import { nextSlotAt } from "../accounts/cadence.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { Clock } from "../platform/clock.ts";
import { cadencesOf } from "./asks.ts";
import type { VendorHealth } from "./counts.ts";
import type { PlanOutcome, UnansweredJobs } from "./plan.ts";
import type { Estimate } from "./prices.ts";
import type { SpendRow, SweepPart, SweepRecord } from "./store/collection-store.ts";
import { credentialsOf } from "./store/credential-store.ts";
import { spendOf } from "./store/spend-ledger.ts";
import { sweepsOf } from "./store/sweep-reads.ts";
import { collectorsHealth, noCredential, type SkippedVendor, withStored } from "./vendor-choice.ts";

/** Dependencies of listing. */
interface ListTools {
  readonly control: ControlEngine;
  /** The collectors' clock, which decides whether their reports are recent. */
  readonly clock: Pick<Clock, "now">;
}

/**
 * An account's latest sweeps, its spending, the next slots, and the state of the vendors. Large
 * workspaces and sweeps take a while.
 * @param now the caller's time, in milliseconds since 1970, which decides what is today.
 */
export async function listedCollections(
  { control, clock }: ListTools,
  accountId: string,
  now: number,
): Promise<CollectionsResponse> {
  const sweeps = await sweepsOf(control, accountId, sweepsListedMax, clock.now());
  const today = Math.floor(now / dayMs);
  const spend = await spendOf(control, accountId, startOfMonth(now, 0) / dayMs, today + 1);
  const { collectors, vendors } = await collectorsHealth(control, clock);
  return {
    collections: sweeps.map(listedSweep),
    next: await nextSlots({ control, clock }, accountId),
    collectors,
    vendors: withStored(vendors, await credentialsOf(control, accountId)).map((vendor) =>
      listedVendor(suspectedBy(sweeps, vendor)),
    ),
    spend: {
      today: byProvider(spend.filter(({ day }) => day === today)),
      month: byProvider(spend),
    },
  };
}

/** The next slot of each cadence, earliest first. */
async function nextSlots({ control, clock }: ListTools, accountId: string) {
  const workspace = await workspaceOf(control, accountId);
  const cadences = workspace === null ? [] : cadencesOf(workspace);
  const next = cadences.flatMap((cadence) => {
    const at = nextSlotAt([cadence], clock.now());
    return at === null ? [] : [{ ...cadence, at }];
  });
  const ordered = next.toSorted((one, other) => one.at - other.at);
  return ordered.map(({ at, ...cadence }) => ({ ...cadence, at: instant(at) }));
}

/**
 * Marks a ready vendor as suspicious if answers of this account are held back. Other accounts do
 * not see that: they have answers of their own.
 */
function suspectedBy(sweeps: readonly SweepRecord[], health: VendorHealth) {
  const held = sweeps
    .flatMap(({ parts }) => parts)
    .find(({ vendor, suspicious }) => vendor === health.vendor && suspicious.length > 0);
  if (health.state !== "ready" || held === undefined) return health;
  return { ...health, state: "suspicious" as const, reason: held.suspicious.join(" ") };
}

type ShownHealth = Omit<VendorHealth, "state"> & { readonly state: ListedVendor["state"] };

function listedVendor({ until, lastError, medianMs: _medianMs, ...health }: ShownHealth) {
  return {
    ...health,
    until: instantOrNull(until),
    lastError: lastError === null ? null : { ...lastError, at: instant(lastError.at) },
  };
}

function byProvider(rows: readonly SpendRow[]): ProviderSpend[] {
  const groups = [...Map.groupBy(rows, ({ provider }) => provider)];
  return groups
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([provider, ofProvider]) => {
      const sum = (of: (row: SpendRow) => number) =>
        ofProvider.reduce((total, row) => total + of(row), 0);
      return {
        provider,
        calls: sum(({ calls }) => calls),
        dollars: dollars(sum(({ spentMicros }) => spentMicros)),
        assumedDollars: dollars(sum(({ assumedMicros }) => assumedMicros)),
        reservedDollars: dollars(sum(({ reservedMicros }) => reservedMicros)),
        unsettledDollars: dollars(sum(({ unsettledMicros }) => unsettledMicros)),
        expectedDollars: dollars(sum(({ expectedMicros }) => expectedMicros)),
      };
    });
}

/** A sweep in the shape of replies. */
export function listedSweep(sweep: SweepRecord): ListedCollection {
  const { id, slot, source, createdAt, deadline, cancelledAt } = sweep;
  const parts = sweep.parts.map(listedPart);
  const sum = (of: (part: SweepPart) => number) =>
    sweep.parts.reduce((total, part) => total + of(part), 0);
  const [jobs, done] = [sum((part) => part.jobs), sum((part) => part.done)];
  return {
    id,
    slot: instant(slot),
    source,
    createdAt: instant(createdAt),
    deadline: instant(deadline),
    cancelledAt: instantOrNull(cancelledAt),
    endedAt: instantOrNull(endedAt(sweep)),
    jobs,
    done,
    missing: jobs - done,
    spentDollars: dollars(sum((part) => part.spentMicros)),
    parts,
  };
}

/** When the last part of a sweep was published, in milliseconds since 1970; null: some are not. */
function endedAt({ parts, createdAt }: Pick<SweepRecord, "parts" | "createdAt">) {
  const published = parts.flatMap((part) => part.publishedAt ?? []);
  // A sweep without jobs has ended.
  return published.length < parts.length ? null : Math.max(createdAt, ...published);
}

/** Converts millionths of a dollar into dollars. */
function dollars(micros: number): number {
  return micros / 1_000_000;
}

/** Converts milliseconds since 1970 into a date-time (RFC 3339, UTC). */
function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/** As `instant`, for an optional time. */
function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instant(ms);
}

function listedPart(part: SweepPart): CollectionPart {
  const { provider, surface, vendor, jobs, queued, underWay, done, failed } = part;
  return {
    provider,
    surface,
    vendor,
    jobs,
    queued,
    underWay,
    done,
    failed: [...failed],
    missing: jobs - done,
    spentDollars: dollars(part.spentMicros),
    warnings: [...part.warnings],
    suspicious: [...part.suspicious],
    heldUntil: instantOrNull(part.heldUntil),
    publishedAt: instantOrNull(part.publishedAt),
  };
}

/** A planned sweep in the shape of replies. */
export function startedCollection(
  planned: Extract<PlanOutcome, { kind: "planned" }>,
): StartedCollection {
  const { sweepId, jobs, estimates, askable, pricesDate, unanswered, skipped, warnings } = planned;
  const micros = estimates.reduce((total, estimate) => total + estimate.micros, 0);
  return {
    id: sweepId,
    jobs,
    dollars: dollars(micros),
    pricesDate,
    estimates: estimates.map(
      ({ micros: ofProvider, isUnverified, unlistedModels, ...estimate }) => ({
        ...estimate,
        ...(unlistedModels.length === 0 ? {} : { unlistedModels: [...unlistedModels] }),
        dollars: dollars(ofProvider),
        verified: !isUnverified,
        hasCredential: askable.has(estimate.vendor),
        ...skippedBefore(estimate, skipped),
      }),
    ),
    unanswered: unanswered.map((each) => ({ ...each, reason: reasonOf(each) })),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

/** The skipped vendors; left out when the first one is asked. */
function skippedBefore(
  { provider, surface }: Pick<Estimate, "provider" | "surface">,
  skipped: readonly SkippedVendor[],
): Pick<CollectionEstimate, "skipped"> {
  const before = skipped.filter((each) => each.provider === provider && each.surface === surface);
  return before.length === 0
    ? {}
    : { skipped: before.map(({ vendor, reason }) => ({ vendor, reason })) };
}

/** Whether nothing is asked because no process has a credential. */
export function isCollectionOff({
  sweepId,
  unanswered,
}: Pick<Extract<PlanOutcome, { kind: "planned" }>, "sweepId" | "unanswered">): boolean {
  return sweepId === null && unanswered.some(({ reason }) => reason === null);
}

/** Why jobs will have no answer, for people. */
function reasonOf({ vendor, reason }: Pick<UnansweredJobs, "vendor" | "reason">): string {
  return reason ?? noCredential(vendor);
}
