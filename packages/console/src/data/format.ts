import type { MetricName } from "@sightline/client";
import type { DrawnMetric } from "./names.ts";

const cache = new Map<string, Intl.NumberFormat>();

/** A formatter in the reader's number format; making one is slow, so each is kept. */
function formatter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const name = JSON.stringify(options);
  const found = cache.get(name) ?? new Intl.NumberFormat(undefined, options);
  cache.set(name, found);
  return found;
}

const digits = (count: number): Intl.NumberFormatOptions => ({
  minimumFractionDigits: count,
  maximumFractionDigits: count,
});

/** What stands where nothing was measured. Never 0, which is a measured value. */
export const nothing = "–";

/** A whole number: 1,240. */
export function countText(value: number): string {
  return formatter({}).format(value);
}

/** A count with its noun: 1 answer, 1,240 answers. */
export function countOf(value: number, noun: string): string {
  return `${countText(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** A fraction as per cent: 43.6 %. */
export function percentText(value: number | null, places = 1): string {
  if (value === null) return nothing;
  return formatter({ style: "percent", ...digits(places) }).format(value);
}

/** A value of a metric: per cent of one place, or a rank of two, unless said. */
export function valueText(
  metric: DrawnMetric | "shareOfVoice",
  value: number | null,
  places = metric === "rank" ? 2 : 1,
): string {
  if (value === null) return nothing;
  return metric === "rank" ? formatter(digits(places)).format(value) : percentText(value, places);
}

/** US dollars in cents, so that the amounts of a column can be compared at a glance. */
export function dollarsText(value: number): string {
  const dollars = { currency: "USD", currencyDisplay: "narrowSymbol" } as const;
  const format = formatter({ style: "currency", ...dollars, ...digits(2) });
  return value > 0 && value < leastDollars
    ? `< ${format.format(leastDollars)}`
    : format.format(value);
}

/** Less than half of it would be shown as nothing. An answer may cost less than a cent. */
const leastDollars = 0.01;

/** A change with its sign: points, or places of a rank, where less is better. */
export function changeText(
  metric: MetricName | "shareOfVoice",
  value: number | null,
  places = metric === "rank" ? 2 : 1,
): string {
  if (value === null) return nothing;
  const format = formatter({ signDisplay: "exceptZero", ...digits(places) });
  if (metric === "rank") return withMinus(format.format(value));
  return `${withMinus(format.format(value * 100))} pts`;
}

/** The bounds of a change: −1.2 to +3.4 pts. */
export function changeBoundsText(
  metric: MetricName | "shareOfVoice",
  { low, high }: { readonly low: number; readonly high: number },
  places = metric === "rank" ? 2 : 1,
): string {
  const lower = changeText(metric, low, places).replace(" pts", "");
  return `${lower} to ${changeText(metric, high, places)}`;
}

/** Where a change leads in a chart, in which the first rank is on top. */
export function arrowOf(metric: MetricName | "shareOfVoice", change: number): "rise" | "fall" {
  return change > 0 === (metric === "rank") ? "fall" : "rise";
}

/** The minus of figures, as wide as a plus; a hyphen is neither. */
const withMinus = (text: string): string => text.replace("-", "\u2212");

/** A value at the axis of a chart: without places where whole per cents do. */
export function tickText(metric: DrawnMetric, value: number): string {
  if (metric === "rank") return formatter(digits(1)).format(value);
  return percentText(value, Number.isInteger(Math.round(value * 1e6) / 1e4) ? 0 : 1);
}

/** The bounds of an interval: 41–47 %, or 2.1–2.4 of a rank. Null: there is none. */
export function intervalText(
  metric: DrawnMetric | "shareOfVoice",
  interval: { readonly low: number; readonly high: number } | null,
): string | null {
  if (interval === null) return null;
  const { low, high } = interval;
  if (metric === "rank") return `${formatter(digits(1)).format(low)}–${rankBound(high)}`;
  const places = high - low < 0.02 ? 1 : 0;
  const upper = formatter({ style: "percent", ...digits(places) }).format(high);
  return `${formatter(digits(places)).format(low * 100)}–${upper}`;
}

const rankBound = (value: number): string => formatter(digits(1)).format(value);

const dateFormats = {
  day: new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }),
  date: new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" }),
  month: new Intl.DateTimeFormat("en-GB", { month: "short", year: "numeric", timeZone: "UTC" }),
  instant: new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone: "UTC",
  }),
} as const;

/** An instant in UTC: day 27 Oct, date 27 Oct 2026, month Oct 2026, instant with the minute. */
export function dateText(at: number | string, form: keyof typeof dateFormats = "date"): string {
  const text = dateFormats[form].format(typeof at === "string" ? Date.parse(at) : at);
  return form === "instant" ? `${text} UTC` : text;
}

/** A half-open range of days: 27 Oct – 23 Nov 2026. */
export function rangeText({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }) {
  const lastMs = toMs - 1;
  if (lastMs - fromMs < 86_400_000) return dateText(fromMs);
  const sameYear = new Date(fromMs).getUTCFullYear() === new Date(lastMs).getUTCFullYear();
  return `${dateText(fromMs, sameYear ? "day" : "date")} – ${dateText(lastMs)}`;
}
