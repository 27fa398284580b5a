import { dayMs, startOfDay, startOfMonth, startsAround } from "./utc-calendar.ts";

/** A half-open range of instants, in milliseconds since 1970: `toMs` is exclusive. */
export interface InstantRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The range that another one is compared with, or why there is none. */
export type ComparedRange = InstantRange | { readonly refused: string };

/** What a calendar repeats. */
interface Unit {
  /** The start of the unit with an instant. */
  readonly startOf: (instantMs: number) => number;
  /** Whether its length is a number of months, which differ in days. */
  readonly byMonths: boolean;
}

/** The longest first: three months may be a quarter, and a February of four weeks is a month. */
const units: readonly Unit[] = [
  { startOf: (ms) => startsAround(ms).year, byMonths: true },
  { startOf: startOfQuarter, byMonths: true },
  { startOf: (ms) => startsAround(ms).month, byMonths: true },
  { startOf: (ms) => startsAround(ms).week, byMonths: false },
];

/** The calendar unit of which a range is a whole number, in UTC; null: of none. */
function unitOf({ fromMs, toMs }: InstantRange): Unit | null {
  return units.find(({ startOf }) => startOf(fromMs) === fromMs && startOf(toMs) === toMs) ?? null;
}

/**
 * The period before a range: before whole calendar years, quarters, months or weeks (UTC) as many
 * of them; before any other range the same length.
 */
export function rangeBefore(range: InstantRange): InstantRange {
  const { fromMs, toMs } = range;
  if (unitOf(range)?.byMonths !== true) return { fromMs: fromMs - (toMs - fromMs), toMs: fromMs };
  return { fromMs: startOfMonth(fromMs, -monthsIn(range)), toMs: fromMs };
}

/**
 * The same period of the year before, by calendar: the same months of whole months, the same dates
 * of whole UTC days, where 29 February becomes 28 February; of any other range, the same length
 * from the same date and time on. Refused where the range is longer than a year.
 */
export function rangeYearAgo(range: InstantRange): ComparedRange {
  const { fromMs, toMs } = range;
  if (unitOf(range)?.byMonths) {
    const [startMs, endMs] = [startOfMonth(fromMs, -12), startOfMonth(toMs, -12)];
    return refusedOverlap(range, { fromMs: startMs, toMs: endMs });
  }
  const startMs = yearBefore(fromMs);
  const ofDays = isDay(fromMs) && isDay(toMs);
  const endMs = ofDays ? yearBefore(toMs - dayMs) + dayMs : startMs + (toMs - fromMs);
  return refusedOverlap(range, { fromMs: startMs, toMs: endMs });
}

/**
 * The range of another one's form that a date chooses: for whole calendar units as many of them,
 * from the unit with the date on; for any other range the same length from the date on. Refused
 * where both have an instant in common.
 */
export function rangeFrom(dateMs: number, range: InstantRange): ComparedRange {
  const unit = unitOf(range);
  const fromMs = unit === null ? dateMs : unit.startOf(dateMs);
  const lengthMs = range.toMs - range.fromMs;
  const toMs = unit?.byMonths ? startOfMonth(fromMs, monthsIn(range)) : fromMs + lengthMs;
  return refusedOverlap(range, { fromMs, toMs });
}

/** Why a range cannot be compared with another one; null: they have no instant in common. */
export function overlapFault(range: InstantRange, compared: InstantRange): string | null {
  if (!overlaps(range, compared)) return null;
  const [from, to] = [range.fromMs, range.toMs].map(instantText);
  return overlapText(range, compared, `ends at ${from} or before, or starts at ${to} or after`);
}

/** Of a range in the other's form its start alone is chosen, and so advised. */
function refusedOverlap(range: InstantRange, compared: InstantRange): ComparedRange {
  if (!overlaps(range, compared)) return compared;
  const [before, to] = [rangeBefore(range).fromMs, range.toMs].map(instantText);
  const starts = `starts at ${before} or before, or at ${to} or after`;
  return { refused: overlapText(range, compared, starts) };
}

const overlaps = (one: InstantRange, other: InstantRange): boolean =>
  one.fromMs < other.toMs && other.fromMs < one.toMs;

function overlapText(range: InstantRange, compared: InstantRange, advised: string): string {
  return (
    `${rangeText(compared)} overlaps ${rangeText(range)}, so the same answers would count on ` +
    `both sides. Use a range that ${advised}.`
  );
}

function startOfQuarter(instantMs: number): number {
  const month = new Date(instantMs).getUTCMonth();
  return startOfMonth(instantMs, -(month % 3));
}

function monthsIn({ fromMs, toMs }: InstantRange): number {
  const [from, to] = [new Date(fromMs), new Date(toMs)];
  const years = to.getUTCFullYear() - from.getUTCFullYear();
  return years * 12 + to.getUTCMonth() - from.getUTCMonth();
}

const isDay = (instantMs: number): boolean => startsAround(instantMs).day === instantMs;

/** The same date and time a year before; 28 February for the 29th. */
function yearBefore(instantMs: number): number {
  const date = new Date(instantMs);
  const [year, month] = [date.getUTCFullYear() - 1, date.getUTCMonth()];
  const lastDay = new Date(startOfDay(year, month + 1, 0)).getUTCDate();
  const day = startOfDay(year, month, Math.min(date.getUTCDate(), lastDay));
  return day + (instantMs - startsAround(instantMs).day);
}

function rangeText({ fromMs, toMs }: InstantRange): string {
  return `${instantText(fromMs)} to before ${instantText(toMs)}`;
}

/** A date of a start of day, else an instant. */
function instantText(instantMs: number): string {
  const text = new Date(instantMs).toISOString();
  return isDay(instantMs) ? text.slice(0, 10) : text;
}
