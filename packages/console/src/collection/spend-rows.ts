import type { CollectionsResponse, DeclaredWorkspaceResponse } from "@sightline/client";
import { byProviderName } from "../data/names.ts";

type Spent = CollectionsResponse["spend"]["month"][number];
type Caps = NonNullable<NonNullable<DeclaredWorkspaceResponse["collection"]>["caps"]>;

/** Calls and US dollars of a day or a month. */
export type SpendSum = Pick<
  Spent,
  | "calls"
  | "dollars"
  | "assumedDollars"
  | "reservedDollars"
  | "unsettledDollars"
  | "expectedDollars"
>;

/** The most of a UTC day; null: no limit. */
interface DayCap {
  readonly calls: number | null;
  readonly dollars: number | null;
}

/** What was spent with a provider, or with all. */
export interface SpendRow {
  /** Null: all of them. */
  readonly provider: string | null;
  readonly today: SpendSum;
  readonly month: SpendSum;
  readonly cap: DayCap;
}

const noSpend: SpendSum = {
  calls: 0,
  dollars: 0,
  assumedDollars: 0,
  reservedDollars: 0,
  unsettledDollars: 0,
  expectedDollars: 0,
};

/**
 * What was spent today and this month: all providers together, then each of which something was
 * asked this month or that has a cap.
 */
export function spendRows(
  { today, month }: CollectionsResponse["spend"],
  caps: Caps | undefined,
): readonly SpendRow[] {
  const ofToday = new Map(today.map((each) => [each.provider as string, each]));
  const ofMonth = new Map(month.map((each) => [each.provider as string, each]));
  const capped = new Map(Object.entries(caps?.providers ?? {}));
  const providers = new Set([...ofMonth.keys(), ...ofToday.keys(), ...capped.keys()]);
  return [
    { provider: null, today: sumOf(today), month: sumOf(month), cap: capOf(caps) },
    ...[...providers]
      .map((provider) => ({
        provider,
        today: ofToday.get(provider) ?? noSpend,
        month: ofMonth.get(provider) ?? noSpend,
        cap: capOf(capped.get(provider)),
      }))
      .toSorted(byProviderName),
  ];
}

/** Whether what was spent, is under way or was cut off leaves nothing of a cap. */
export function isReached({ today, cap }: Pick<SpendRow, "today" | "cap">): boolean {
  const { calls, dollars, reservedDollars, expectedDollars } = today;
  if (cap.calls !== null && calls >= cap.calls) return true;
  return cap.dollars !== null && dollars + reservedDollars + expectedDollars >= cap.dollars;
}

function capOf(cap: Pick<Caps, "callsPerDay" | "dollarsPerDay"> | undefined): DayCap {
  return { calls: cap?.callsPerDay ?? null, dollars: cap?.dollarsPerDay ?? null };
}

function sumOf(rows: readonly Spent[]): SpendSum {
  return rows.reduce(
    (sum, each) => ({
      calls: sum.calls + each.calls,
      dollars: sum.dollars + each.dollars,
      assumedDollars: sum.assumedDollars + each.assumedDollars,
      reservedDollars: sum.reservedDollars + each.reservedDollars,
      unsettledDollars: sum.unsettledDollars + each.unsettledDollars,
      expectedDollars: sum.expectedDollars + each.expectedDollars,
    }),
    noSpend,
  );
}
