import {
  type CollectionsResponse,
  dayMs,
  type ProviderSpend,
  startOfMonth,
  sweepsListedMax,
} from "@sightline/contract";
import type { SpendRow } from "../control/collection-store.ts";
import type { Control } from "../control/control.ts";
import type { VendorHealth } from "./collection-counts.ts";
import { dollars, instant, instantOrNull, listedSweep } from "./listed-sweep.ts";
import type { Outlook } from "./outlook.ts";

/** An account's sweeps, what they cost, and what comes next. */
export async function listedCollections(
  control: Pick<Control, "sweeps" | "spend">,
  accountId: string,
  { now, outlook }: { readonly now: number; readonly outlook: Outlook },
): Promise<CollectionsResponse> {
  const sweeps = await control.sweeps(accountId, sweepsListedMax);
  const today = Math.floor(now / dayMs);
  const spend = await control.spend(accountId, startOfMonth(now, 0) / dayMs, today + 1);
  return {
    collections: sweeps.map(listedSweep),
    next: outlook.next.map(({ at, ...cadence }) => ({ ...cadence, at: instant(at) })),
    collectors: outlook.collectors,
    vendors: outlook.vendors.map(listedVendor),
    spend: {
      today: byProvider(spend.filter(({ day }) => day === today)),
      month: byProvider(spend),
    },
  };
}

function listedVendor({ until, lastError, medianMs: _medianMs, ...health }: VendorHealth) {
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
        reservedDollars: dollars(sum(({ reservedMicros }) => reservedMicros)),
        unsettledDollars: dollars(sum(({ unsettledMicros }) => unsettledMicros)),
      };
    });
}
