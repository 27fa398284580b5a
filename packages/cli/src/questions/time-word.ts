import {
  dayMs,
  instantOf,
  nearestName,
  quoted,
  startOfMonth,
  startsAround,
} from "@sightline/contract";
import { CommandError } from "../result.ts";

type Starts = ReturnType<typeof startsAround>;

/** The start of the UTC day, week (from Monday), month or year that a word names. */
const words: Readonly<Record<string, (around: Starts) => number>> = {
  today: ({ day }) => day,
  yesterday: ({ day }) => day - dayMs,
  tomorrow: ({ day }) => day + dayMs,
  "this-week": ({ week }) => week,
  "last-week": ({ week }) => week - 7 * dayMs,
  "this-month": ({ month }) => month,
  "last-month": ({ month }) => startOfMonth(month, -1),
  "this-year": ({ year }) => year,
  "last-year": ({ year }) => startOfMonth(year, -12),
};

/** The words for times, for help. */
export const timeWords = Object.keys(words) as readonly string[];

/** The forms of a time, in one sentence. */
export const timeForms =
  "a UTC date (2026-01-31), a month (2026-01), an instant (2026-01-31T08:00:00Z), " +
  `days or weeks up to today (30d, 12w), now, ${timeWords.join(", ")}`;

/**
 * The instant of a time on the command line, in milliseconds since 1970: always the start of the
 * period that it names, in UTC. `30d` is the start of the last 30 days, today included; `12w` the
 * same for 84 days. Null when it is not a time.
 */
export function instantOfTime(text: string, nowMs: number): number | null {
  const word = text.toLowerCase();
  if (word === "now") return nowMs;
  const around = startsAround(nowMs);
  const named = Object.hasOwn(words, word) ? words[word] : undefined;
  if (named !== undefined) return named(around);
  const span = /^([1-9]\d{0,4})([dw])$/.exec(word);
  if (span !== null) {
    const days = Number(span[1]) * (span[2] === "w" ? 7 : 1);
    return around.day + dayMs - days * dayMs;
  }
  if (/^\d{4}-\d{2}$/.test(text)) return instantOf(`${text}-01T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return instantOf(`${text}T00:00:00Z`);
  return instantOf(text);
}

/**
 * The instant of an option's time.
 * @throws CommandError that lists the allowed forms.
 */
export function instantOfOption(option: string, text: string, nowMs: number): number {
  const instant = instantOfTime(text, nowMs);
  if (instant !== null) return instant;
  const nearest = nearestName(text, timeWords);
  const advice = nearest === null ? "" : ` Did you mean ${nearest}?`;
  throw new CommandError(`${option}: invalid time ${quoted(text)}. Use ${timeForms}.${advice}`, 2);
}

/** The start of the UTC day after an instant's. */
export function startOfNextDay(instantMs: number): number {
  return startsAround(instantMs).day + dayMs;
}
