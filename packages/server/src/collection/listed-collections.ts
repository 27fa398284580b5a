import {
  type CollectionsResponse,
  dayMs,
  type ListedVendor,
  type ProviderSpend,
  startOfMonth,
  sweepsListedMax,
} from "@sightline/contract";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";
import type { VendorHealth } from "./collection-counts.ts";
import { collectorsHealth } from "./collectors-health.ts";
import { dollars, instant, instantOrNull, listedSweep } from "./listed-sweep.ts";
import { nextLook } from "./schedule/cadence.ts";
import { cadencesOf } from "./schedule/effective-asks.ts";
import type { SpendRow, SweepRecord } from "./store/collection-store.ts";

/** What lists are read with. */
interface ListTools {
  readonly control: Control;
  /** That of those who collect: it tells whether they noted something lately. */
  readonly clock: Pick<Clock, "now">;
}

/**
 * An account's sweeps, what they cost, and what comes next. A workspace of 100,000 prompts and a
 * sweep of as many jobs take a while.
 * @param now the caller's, in milliseconds since 1970: today is its day.
 */
export async function listedCollections(
  { control, clock }: ListTools,
  accountId: string,
  now: number,
): Promise<CollectionsResponse> {
  const sweeps = await control.sweeps(accountId, sweepsListedMax);
  const today = Math.floor(now / dayMs);
  const spend = await control.spend(accountId, startOfMonth(now, 0) / dayMs, today + 1);
  const { collectors, vendors } = await collectorsHealth(control, clock);
  return {
    collections: sweeps.map(listedSweep),
    next: await nextSlots({ control, clock }, accountId),
    collectors,
    vendors: vendors.map((vendor) => listedVendor(suspectedBy(sweeps, vendor))),
    spend: {
      today: byProvider(spend.filter(({ day }) => day === today)),
      month: byProvider(spend),
    },
  };
}

/** The first one first. */
async function nextSlots({ control, clock }: ListTools, accountId: string) {
  const workspace = await control.workspace(accountId);
  const cadences = workspace === null ? [] : cadencesOf(workspace);
  const next = cadences.flatMap((cadence) => {
    const at = nextLook([cadence], clock.now());
    return at === null ? [] : [{ ...cadence, at }];
  });
  const ordered = next.toSorted((one, other) => one.at - other.at);
  return ordered.map(({ at, ...cadence }) => ({ ...cadence, at: instant(at) }));
}

/**
 * A vendor that is asked, and whose answers this account has held back. Other accounts are not
 * told: they have answers of their own.
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
