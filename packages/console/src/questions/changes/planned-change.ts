import type { MetricName } from "@sightline/client";
import { plannedMax } from "../../data/view.ts";

/** The unit in which a change is typed: points, or places of a rank. */
export const plannedUnit = (metric: MetricName): string =>
  metric === "rank" ? "places" : "points";

/** A change as it is typed: 5 for a fraction of 0.05. */
export function typedOf(metric: MetricName, change: number): string {
  return String(Number((change * scaleOf(metric)).toPrecision(12)));
}

/** The change that is typed, or what is wrong with it. */
export function changeOf(
  metric: MetricName,
  typed: string,
): { readonly change: number } | { readonly fault: string } {
  const text = typed.trim().replace(",", ".");
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  const most = plannedMax(metric) * scaleOf(metric);
  if (number > 0 && number <= most) {
    return { change: Number((number / scaleOf(metric)).toPrecision(12)) };
  }
  return { fault: `It must be a number of ${plannedUnit(metric)} above 0, at most ${most}.` };
}

const scaleOf = (metric: MetricName): number => (metric === "rank" ? 1 : 100);
