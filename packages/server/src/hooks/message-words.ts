import { dayMs, type SummaryMetricName } from "@sightline/contract";

/** What an event says, in plain text without markup: each form makes it safe in its own way. */
export interface Message {
  readonly title: string;
  /** Sentences, or a value and what became of it; one a line. */
  readonly lines: readonly string[];
  /** Null: the service does not know its own address. */
  readonly link: { readonly text: string; readonly url: string } | null;
}

/** What messages say in addition to their event. */
export interface MessageContext {
  readonly accountId: string;
  readonly accountName: string;
  /** What addresses of the service begin with; null: it does not know. */
  readonly publicUrl: string | null;
}

/** What the values are called, and whether the name is a plural. */
export const metricWords: Readonly<
  Record<SummaryMetricName, { readonly name: string; readonly are: "is" | "are" }>
> = {
  mentions: { name: "mentions", are: "are" },
  visibility: { name: "visibility", are: "is" },
  citations: { name: "citations", are: "are" },
  rank: { name: "rank", are: "is" },
  shareOfVoice: { name: "share of voice", are: "is" },
};

/** A value with its interval: 46 % (38 to 54 %), or 2.1 (1.8 to 2.4) of a rank. */
export function valueText(
  metric: SummaryMetricName,
  { value, interval }: { readonly value: number | null; readonly interval: Interval | null },
): string {
  if (value === null) return "no value";
  const size = sizeOf(metric, value);
  if (interval === null) return size;
  const [low, high] = [sizeOf(metric, interval.low), sizeOf(metric, interval.high)];
  return `${size} (${low.replace(" %", "")} to ${high})`;
}

interface Interval {
  readonly low: number;
  readonly high: number;
}

/** A value without its interval. */
export function sizeOf(metric: SummaryMetricName, value: number): string {
  const isRank = metric === "rank";
  const digits = { maximumFractionDigits: isRank ? 2 : 1 };
  const number = (isRank ? value : value * 100).toLocaleString("en-GB", digits);
  return isRank ? number : `${number} %`;
}

/** A number of things: 1 answer, 1,200 answers. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}

interface TimeRange {
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

/** Whole days of a range: 1 June 2026 to 7 June 2026. */
export function daysText({ from, to }: TimeRange): string {
  const [first, last] = [dayText(Date.parse(from)), dayText(Date.parse(to) - dayMs)];
  return first === last ? first : `${first} to ${last}`;
}

/** A day, UTC: 7 June 2026. */
export function dayText(ms: number): string {
  const parts = { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Date(ms).toLocaleDateString("en-GB", parts);
}

/** The longest name that a message shows whole. */
const nameCharactersMax = 200;

/** A name, or another text from outside, cut where it is long. */
export function named(text: string): string {
  return text.length <= nameCharactersMax
    ? text
    : `${text.slice(0, nameCharactersMax).toWellFormed()}…`;
}

/**
 * A text on one line: without control characters, and without those that turn the direction of what
 * follows, behind which a name could make a sentence read otherwise.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .toWellFormed();
}

/** Where the console shows an account, with these parameters of its address; null: not known. */
export function consoleLink(
  { accountId, publicUrl }: MessageContext,
  text: string,
  parameters: Readonly<Record<string, string>> = {},
): Message["link"] {
  if (publicUrl === null) return null;
  const search = new URLSearchParams({ account: accountId, ...parameters });
  return { text, url: `${publicUrl}/?${search}` };
}

/** The parameter with which the console shows a range of days. */
export function periodOf({ from, to }: TimeRange): string {
  const lastDay = new Date(Date.parse(to) - dayMs).toISOString();
  return `${from.slice(0, 10)}..${lastDay.slice(0, 10)}`;
}
