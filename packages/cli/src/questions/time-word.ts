import { instantOf, nearestName, quoted } from "@sightline/contract";
import { CommandError } from "../result.ts";

/** Milliseconds of a UTC day. */
export const dayMs = 86_400_000;

type Starts = (date: {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}) => number;

/** The start of the UTC day, week (from Monday), month or year that a word names. */
const words: Readonly<Record<string, Starts>> = {
  today: ({ year, month, day }) => startOf(year, month, day),
  yesterday: ({ year, month, day }) => startOf(year, month, day - 1),
  tomorrow: ({ year, month, day }) => startOf(year, month, day + 1),
  "this-week": (date) => mondayOf(date),
  "last-week": (date) => mondayOf(date) - 7 * dayMs,
  "this-month": ({ year, month }) => startOf(year, month, 1),
  "last-month": ({ year, month }) => startOf(year, month - 1, 1),
  "this-year": ({ year }) => startOf(year, 0, 1),
  "last-year": ({ year }) => startOf(year - 1, 0, 1),
};

/** The words for times, for help and completion. */
export const timeWords = Object.keys(words) as readonly string[];

/** The forms of a time, in one sentence. */
export const timeForms =
  "a UTC date (2026-01-31), a month (2026-01), an instant (2026-01-31T08:00:00Z), " +
  `days or weeks up to today (30d, 12w), now, ${timeWords.join(", ")}`;

/**
 * The instant that a time of the command line stands for, in milliseconds since 1970: always the
 * start of what it names, in UTC. `30d` is the start of the last 30 days, today being the last;
 * `12w` the same of 84 days. Null: it stands for none.
 */
export function instantOfTime(text: string, nowMs: number): number | null {
  const word = text.toLowerCase();
  if (word === "now") return nowMs;
  const today = dateOf(nowMs);
  const named = Object.hasOwn(words, word) ? words[word] : undefined;
  if (named !== undefined) return named(today);
  const span = /^([1-9]\d{0,4})([dw])$/.exec(word);
  if (span !== null) {
    const days = Number(span[1]) * (span[2] === "w" ? 7 : 1);
    return startOf(today.year, today.month, today.day + 1) - days * dayMs;
  }
  if (/^\d{4}-\d{2}$/.test(text)) return instantOf(`${text}-01T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return instantOf(`${text}T00:00:00Z`);
  return instantOf(text);
}

/** The instant of an option's time. @throws CommandError saying what is allowed. */
export function instantOfOption(option: string, text: string, nowMs: number): number {
  const instant = instantOfTime(text, nowMs);
  if (instant !== null) return instant;
  const nearest = nearestName(text, timeWords);
  const advice = nearest === null ? "" : ` Did you mean ${nearest}?`;
  throw new CommandError(`${option}: got ${quoted(text)}; allowed is ${timeForms}.${advice}`, 2);
}

/** The start of the UTC day after an instant's. */
export function startOfNextDay(instantMs: number): number {
  const { year, month, day } = dateOf(instantMs);
  return startOf(year, month, day + 1);
}

function dateOf(instantMs: number) {
  const date = new Date(instantMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

function startOf(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month, day); // Date.UTC would read the year 33 as 1933
}

function mondayOf({ year, month, day }: Parameters<Starts>[0]): number {
  const start = startOf(year, month, day);
  const sinceMonday = (new Date(start).getUTCDay() + 6) % 7;
  return start - sinceMonday * dayMs;
}
