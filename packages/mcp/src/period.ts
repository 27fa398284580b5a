import {
  type ComparedRange,
  dayMs,
  type InstantRange,
  instantOf,
  nearestName,
  overlapFault,
  quoted,
  rangeBefore,
  rangeYearAgo,
  startOfIsoWeek,
  startOfMonth,
  startsAround,
  strictObject,
} from "@sightline/contract";
import { z } from "zod";
import { ToolFault } from "./tool-fault.ts";

/** A half-open range of instants, in milliseconds since 1970: `toMs` is exclusive. */
export type Period = InstantRange;

type Starts = ReturnType<typeof startsAround>;

/** The periods of words, by the starts around now; a current period ends with today. */
const words: Readonly<Record<string, (starts: Starts) => Period>> = {
  today: ({ day }) => ({ fromMs: day, toMs: day + dayMs }),
  yesterday: ({ day }) => ({ fromMs: day - dayMs, toMs: day }),
  "this-week": ({ day, week }) => ({ fromMs: week, toMs: day + dayMs }),
  "last-week": ({ week }) => ({ fromMs: week - 7 * dayMs, toMs: week }),
  "this-month": ({ day, month }) => ({ fromMs: month, toMs: day + dayMs }),
  "last-month": ({ month }) => ({ fromMs: startOfMonth(month, -1), toMs: month }),
  "this-year": ({ day, year }) => ({ fromMs: year, toMs: day + dayMs }),
  "last-year": ({ year }) => ({ fromMs: startOfMonth(year, -12), toMs: year }),
};

/** The forms of a period, for messages. */
const periodForms =
  "a day 2026-10-05, an ISO week 2026-W41, a month 2026-10, a year 2026, two dates or date-times " +
  "with a slash of which the second is not included (2026-10-01/2026-11-01 is October), the last " +
  `days or weeks up to today (30d, 12w), or ${Object.keys(words).join(", ")}; all in UTC`;

/** A period as an argument. */
export const periodSchema = z
  .string()
  .max(100)
  .describe(
    "2026-10-05, 2026-W41, 2026-10, 2026, 2026-10-01/2026-11-01 (end not included), 30d, 12w, " +
      "today, yesterday, or this- or last-week, -month, -year. UTC.",
  );

/**
 * The period of a text.
 * @throws ToolFault with the allowed forms and today's date.
 */
export function periodOf(text: string, nowMs: number): Period {
  const period = readPeriod(text.trim(), nowMs);
  if (period === null) {
    const nearest = nearestName(text, Object.keys(words));
    const advice = nearest === null ? "" : ` Did you mean ${nearest}?`;
    throw new ToolFault(
      `${quoted(text)} is not a period.${advice} Use ${periodForms}. ` +
        `Today is ${dateText(nowMs)}.`,
    );
  }
  if (period.fromMs < period.toMs) return period;
  throw new ToolFault(
    `The period ${quoted(text)} is empty: its end, which is not included, must be after its start.`,
  );
}

function readPeriod(text: string, nowMs: number): Period | null {
  const word = text.toLowerCase();
  const starts = startsAround(nowMs);
  const named = Object.hasOwn(words, word) ? words[word] : undefined;
  if (named !== undefined) return named(starts);
  const [, count, unit] = /^([1-9]\d{0,3})([dw])$/.exec(word) ?? [];
  if (count !== undefined) {
    const toMs = starts.day + dayMs;
    return inYears(toMs - Number(count) * (unit === "w" ? 7 : 1) * dayMs, toMs);
  }
  const [from, to, ...rest] = text.split("/");
  if (to === undefined) return isoPeriod(text);
  const [fromMs, toMs] = [instantText(from ?? ""), instantText(to)];
  return rest.length > 0 || fromMs === null || toMs === null ? null : { fromMs, toMs };
}

/** A day, week, month or year of ISO 8601. */
function isoPeriod(text: string): Period | null {
  const [, weekYear, week] = /^(\d{4})-?W(\d{2})$/i.exec(text) ?? [];
  if (weekYear !== undefined) {
    const monday = startOfIsoWeek(Number(weekYear), Number(week));
    return monday === null ? null : inYears(monday, monday + 7 * dayMs);
  }
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const start = instantOf(`${year}-${month ?? "01"}-${day ?? "01"}T00:00:00Z`);
  if (start === null) return null;
  if (day !== undefined) return inYears(start, start + dayMs);
  return inYears(start, startOfMonth(start, month === undefined ? 12 : 1));
}

function instantText(text: string): number | null {
  return instantOf(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
}

/** Null outside the years that the service accepts. */
function inYears(fromMs: number, toMs: number): Period | null {
  const texts = [fromMs, toMs].map((ms) => instantOf(new Date(ms).toISOString()));
  return texts.includes(null) ? null : { fromMs, toMs };
}

/**
 * The period that another one is compared with: `before` is the one before it, `year-ago` the same
 * a year earlier, and any other text a period.
 * @throws ToolFault when it is none, or both have an instant in common.
 */
export function comparedPeriod(text: string, period: Period, nowMs: number): Period {
  const compared = namedPeriod(text.trim().toLowerCase(), period) ?? periodOf(text, nowMs);
  const refused = "refused" in compared ? compared.refused : overlapFault(period, compared);
  if (refused !== null) throw new ToolFault(refused);
  return compared as Period;
}

function namedPeriod(word: string, period: Period): ComparedRange | null {
  if (word === "before") return rangeBefore(period);
  return word === "year-ago" ? rangeYearAgo(period) : null;
}

/** A period until the end of the day of the last answer, unless it begins later. */
export function withinAnswered(
  { fromMs, toMs }: Period,
  { last }: { readonly last: string | null },
): Period {
  const lastMs = last === null ? Number.NEGATIVE_INFINITY : Date.parse(last);
  if (lastMs < fromMs) return { fromMs, toMs };
  return { fromMs, toMs: Math.min(toMs, startsAround(lastMs).day + dayMs) };
}

/** What the changes of a reply are against, for a reader of its text alone. */
export function againstText({ fromMs, toMs }: Period): string {
  return `Compared with ${dateText(fromMs)} to ${dateText(toMs - 1)}.`;
}

/** A period in replies, in RFC 3339. */
export const rangeSchema = strictObject({
  from: z.string(),
  to: z.string().describe("Not included."),
});

/** A period as the service takes it and as replies show it. */
export function timeRangeOf({ fromMs, toMs }: Period): { from: string; to: string } {
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** The UTC date of an instant. */
export function dateText(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(0, 10);
}
