import { dayMs, dayOf } from "./buckets.ts";
import type { PlanPart } from "./plan.ts";

/** Instants that count, in milliseconds since 1970: [fromMs, toMs). */
export interface Instants {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The first and the last instant of something. */
export interface Ends {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** The first and the last instant of all. */
export function outerEnds(all: readonly Ends[]): Ends {
  return {
    firstMs: Math.min(...all.map(({ firstMs }) => firstMs)),
    lastMs: Math.max(...all.map(({ lastMs }) => lastMs)),
  };
}

/** Whether all that lies between two ends counts. */
export function isWithin({ firstMs, lastMs }: Ends, { fromMs, toMs }: Instants): boolean {
  return firstMs >= fromMs && lastMs < toMs;
}

/** Parts lie one after another: all that they are of, from the first to the last. */
export function instantsOf(parts: readonly PlanPart[]): Instants {
  const ms = ({ by }: PlanPart, value: number) => (by === "day" ? value * dayMs : value);
  return {
    fromMs: Math.min(...parts.map((part) => ms(part, part.from))),
    toMs: Math.max(...parts.map((part) => ms(part, part.to))),
  };
}

/**
 * The same of what lies between two ends, from and to the ends of their days where nothing lies in
 * the rest of the day.
 */
export function toDayEnds({ firstMs, lastMs }: Ends, { fromMs, toMs }: Instants): Instants {
  return {
    fromMs: firstMs >= fromMs ? dayOf(firstMs) * dayMs : fromMs,
    toMs: lastMs < toMs ? (dayOf(lastMs) + 1) * dayMs : toMs,
  };
}

/** Instants as whole days, and what these lack, and what they have besides. */
export interface NearestDays {
  /** Null: it is not worth it. */
  readonly days: Instants | null;
  readonly lacking: readonly Instants[];
  readonly extra: readonly Instants[];
}

/** The whole days that differ least from instants: by half a day at each end, at most. */
export function nearestDays(instants: Instants): NearestDays {
  const { fromMs, toMs } = instants;
  const days = { fromMs: nearestDay(fromMs), toMs: nearestDay(toMs) };
  const lacking = [
    { fromMs, toMs: days.fromMs },
    { fromMs: days.toMs, toMs },
  ].filter(lasts);
  const extra = [
    { fromMs: days.fromMs, toMs: fromMs },
    { fromMs: toMs, toMs: days.toMs },
  ].filter(lasts);
  const differentMs = [...lacking, ...extra].reduce((sum, each) => sum + lengthMs(each), 0);
  if (lasts(days) && differentMs < lengthMs(instants)) return { days, lacking, extra };
  return { days: null, lacking: [instants], extra: [] };
}

function nearestDay(ms: number): number {
  return Math.round(ms / dayMs) * dayMs;
}

function lengthMs({ fromMs, toMs }: Instants): number {
  return toMs - fromMs;
}

function lasts(instants: Instants): boolean {
  return lengthMs(instants) > 0;
}
