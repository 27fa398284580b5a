import {
  dayMs,
  type InsightsSummaryResponse,
  type ListedHookThreshold,
  type ThresholdCrossedEvent,
} from "@sightline/contract";
import { entitiesOf } from "../accounts/account-store.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { HookRecord } from "./hook-store.ts";
import { type Asking, parsedSummary, summaryOf, type TimeRange } from "./summaries.ts";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];

/** The brand's values over the days of a threshold; null: there are no answers. */
interface Watched {
  readonly timeRange: TimeRange;
  readonly brand: Entity | null;
}

/** Asks for the values that a threshold watches, over days that end at `toMs`. */
export type WatchedValue = (threshold: ListedHookThreshold, toMs: number) => Promise<Watched>;

/** Crossings since the last check. */
export interface Crossings {
  /** With the places of their thresholds. */
  readonly news: readonly {
    readonly place: number;
    readonly data: ThresholdCrossedEvent["data"];
  }[];
  /** The places of those that are crossed now. */
  readonly crossed: readonly number[];
}

/**
 * The thresholds of a webhook that are crossed now and were not, or were and are not. A value is
 * beyond its limit, or back, when its whole 95 % interval is: in between, nothing changes. So a
 * value near its limit is told of once, and not each time it wavers. A value without an interval,
 * of too few effective prompts, says nothing. Repeating it gives the same.
 */
export async function crossingsOf(
  { thresholds, lastNotified }: Pick<HookRecord, "thresholds" | "lastNotified">,
  toMs: number,
  watchedValue: WatchedValue,
): Promise<Crossings> {
  const news: Crossings["news"][number][] = [];
  const crossed: number[] = [];
  for (const [place, threshold] of thresholds.entries()) {
    const { timeRange, brand } = await watchedValue(threshold, toMs);
    const wasCrossed = lastNotified.crossed?.includes(place) ?? false;
    const isCrossed = brand === null ? wasCrossed : crosses(threshold, brand, wasCrossed);
    if (isCrossed) crossed.push(place);
    if (brand === null || isCrossed === wasCrossed) continue;
    const { id, name } = brand;
    const { value, numerator, denominator, effectivePrompts, interval, flags } =
      brand[threshold.metric];
    const estimated = { value, numerator, denominator, effectivePrompts, interval, flags };
    const state = isCrossed ? "crossed" : "recovered";
    news.push({
      place,
      data: { state, threshold, timeRange, entity: { id, name }, ...estimated },
    });
  }
  return { news, crossed };
}

/** Whether a value is beyond its limit; `before`, when its interval does not say. */
function crosses(
  { metric, below, above }: ListedHookThreshold,
  brand: Entity,
  before: boolean,
): boolean {
  const { interval } = brand[metric];
  if (interval === null) return before;
  const { low, high } = interval;
  if (below !== undefined) return high < below || (low < below && before);
  if (above !== undefined) return low > above || (high > above && before);
  return before;
}

/** Asks for each value once, whichever thresholds watch it. */
export function watchedValues(control: ControlEngine, asking: Asking): WatchedValue {
  const found = new Map<string, Promise<Watched>>();
  let brandId: Promise<string | null> | null = null;
  return ({ days, filters = {} }, toMs) => {
    const key = JSON.stringify([days, filters, toMs]);
    brandId ??= brandOf(control, asking.accountId);
    const watched = found.get(key) ?? valuesOf(asking, brandId, { days, filters, toMs });
    found.set(key, watched);
    return watched;
  };
}

async function valuesOf(
  asking: Asking,
  brandId: Promise<string | null>,
  { days, filters, toMs }: WatchedQuestion,
): Promise<Watched> {
  const [from, to] = [toMs - days * dayMs, toMs].map((ms) => new Date(ms).toISOString());
  const timeRange = { from: from ?? "", to: to ?? "" };
  const id = await brandId;
  if (id === null) return { timeRange, brand: null };
  const request = { filters: { ...filters, timeRange }, entityIds: [id] };
  const summary = parsedSummary(await summaryOf(asking, request));
  return { timeRange, brand: summary.groups[0]?.entities[0] ?? null };
}

interface WatchedQuestion {
  readonly days: number;
  readonly filters: NonNullable<ListedHookThreshold["filters"]>;
  readonly toMs: number;
}

async function brandOf(control: ControlEngine, accountId: string): Promise<string | null> {
  const entities = await entitiesOf(control, accountId);
  return entities.find(({ kind }) => kind === "brand")?.id ?? null;
}
