/** In which order day, month and year of `03/04/26` stand. */
export const dateOrders = ["dmy", "mdy", "ymd"] as const;

/** In which order day, month and year stand. */
export type DateOrder = (typeof dateOrders)[number];

/** A date as a cell says it, before order and time zone are known. */
export interface WrittenDate {
  /** The day in each order in which it is one, as if it began in UTC. */
  readonly days: ReadonlyMap<DateOrder, number>;
  /** Whether it is another day in another order. */
  readonly isOpen: boolean;
  /** Whether no order changes it: the year has four digits and comes first, or the month a name. */
  readonly isFixed: boolean;
  /** Milliseconds of the day; null: the cell gives no time of day. */
  readonly timeMs: number | null;
  /** Minutes east of UTC; null: the cell gives none. */
  readonly offset: number | null;
}

const time =
  String.raw`(\d{1,2})(?:[:.h](\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?` +
  String.raw`\s*(am|pm|a\.m\.|p\.m\.)?(?:\s*uhr)?`;
const offset = String.raw`(?:\s*(z|utc|gmt)|\s*([+-])(\d{2})(?::?(\d{2}))?)?`;
const afterDate = String.raw`(?:(?:[t,]\s*|,?\s+)${time}${offset})?`;
const yearFirst = new RegExp(String.raw`^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})${afterDate}$`, "i");
const yearLast = new RegExp(
  String.raw`^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d{2})${afterDate}$`,
  "i",
);
const monthNamed = new RegExp(
  String.raw`^(?:(\d{1,2})\.?[\s-]+(\p{L}{3,9})\.?,?[\s-]+(\d{4})|` +
    String.raw`(\p{L}{3,9})\.?\s+(\d{1,2}),?\s+(\d{4}))${afterDate}$`,
  "iu",
);
const timeAlone = new RegExp(`^${time}$`, "i");

/** English and German names begin alike; those that do not are listed twice. */
const months = [
  ...[["jan", "jän"], ["feb"], ["mar", "mär", "mrz"], ["apr"], ["may", "mai"], ["jun"]],
  ...[["jul"], ["aug"], ["sep"], ["oct", "okt"], ["nov"], ["dec", "dez"]],
];

/** Longer cells are texts, in which the patterns would look for a time for long. */
const charactersMax = 60;

/** A cell that is a date, with or without a time of day; null: it is none. */
export function writtenDate(cell: string): WrittenDate | null {
  const text = cell.trim().replaceAll(/[\u00a0\u202f]/g, " ");
  if (text.length > charactersMax) return null;
  const first = yearFirst.exec(text);
  if (first !== null) {
    const [, year, , month, day, ...rest] = first;
    return dated([Number(year), Number(month), Number(day)], ["ymd"], rest);
  }
  const last = yearLast.exec(text);
  if (last !== null) {
    const [, a, , b, c = "", ...rest] = last;
    const orders = c.length === 4 ? (["dmy", "mdy"] as const) : dateOrders;
    return dated([Number(a), Number(b), Number(c)], orders, rest);
  }
  const named = monthNamed.exec(text);
  if (named === null) return null;
  const [, day, name, year, otherName, otherDay, otherYear, ...rest] = named;
  const begin = (name ?? otherName ?? "").slice(0, 3).toLowerCase();
  const month = months.findIndex((names) => names.includes(begin)) + 1;
  return dated([Number(year ?? otherYear), month, Number(day ?? otherDay)], ["ymd"], rest);
}

function dated(
  parts: readonly [number, number, number],
  possible: readonly DateOrder[],
  rest: readonly (string | undefined)[],
): WrittenDate | null {
  const days = new Map(
    possible.flatMap((order) => {
      const day = dayMs(parts, order);
      return day === null ? [] : [[order, day] as const];
    }),
  );
  const timeMs = timeOf(rest);
  const [zulu, sign, hours, minutes = "0"] = rest.slice(5);
  if (days.size === 0 || timeMs === undefined) return null;
  const east = Number(hours) * 60 + Number(minutes);
  if (sign !== undefined && (east > 18 * 60 || Number(minutes) > 59)) return null;
  const offset = zulu !== undefined ? 0 : sign === undefined ? null : sign === "-" ? -east : east;
  const isOpen = new Set(days.values()).size > 1;
  return { days, isOpen, isFixed: possible.length === 1, timeMs, offset };
}

/** Null: the cell has no time of day. Undefined: it has one that no clock shows. */
function timeOf(groups: readonly (string | undefined)[]): number | null | undefined {
  const [hours, minutes, seconds, fraction, half] = groups;
  if (hours === undefined) return null;
  if (minutes === undefined && half === undefined) return undefined;
  const [hour, minute, second] = [Number(hours), Number(minutes ?? 0), Number(seconds ?? 0)];
  if (minute > 59 || second > 59) return undefined;
  if (half === undefined ? hour > 23 : hour < 1 || hour > 12) return undefined;
  const ofDay =
    half === undefined ? hour : (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
  const ms = Number((fraction ?? "").slice(0, 3).padEnd(3, "0"));
  return ((ofDay * 60 + minute) * 60 + second) * 1_000 + ms;
}

/** A cell that is a time of day alone, in milliseconds; null: it is none. */
export function timeOfDay(cell: string): number | null {
  const text = cell.trim();
  const groups = text.length > charactersMax ? null : timeAlone.exec(text);
  return groups === null ? null : (timeOf(groups.slice(1)) ?? null);
}

/** The time of day of dates without one. */
export interface DayTime {
  readonly timeMs: number;
  /** Whether it is in UTC, whatever the time zone of other dates is: `12:00Z`. */
  readonly isUtc: boolean;
}

/** What stands for dates without a time, such as `12:00` or `12:00Z`; null: it is not a time. */
export function dayTimeOf(text: string): DayTime | null {
  const isUtc = /\dz$/i.test(text.trim());
  const timeMs = timeOfDay(isUtc ? text.trim().slice(0, -1) : text);
  return timeMs === null ? null : { timeMs, isUtc };
}

/** A day's beginning as if it were in UTC; null: there is no such day. */
function dayMs(parts: readonly [number, number, number], order: DateOrder): number | null {
  const [a, b, c] = parts;
  const [year, month, day] = order === "dmy" ? [c, b, a] : order === "mdy" ? [c, a, b] : [a, b, c];
  const whole = year < 100 ? 2_000 + year : year;
  const ms = Date.UTC(whole, month - 1, day);
  const date = new Date(ms);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && whole >= 1_900;
  return exists ? ms : null;
}

/** How cells become instants. */
export interface DateRules {
  readonly order: DateOrder | null;
  /** An IANA zone such as `Europe/Berlin`, `UTC`, or an offset such as `+01:00`. */
  readonly zone: string | null;
  /** For dates without one, in milliseconds. */
  readonly timeMs: number | null;
}

/** An instant, or why a date is none. */
export type ReadInstant = { readonly instant: string } | { readonly fault: string };

/** The instant of a date, as RFC 3339 in UTC. */
export function instantIn(date: WrittenDate, rules: DateRules): ReadInstant {
  const { order } = rules;
  if (date.isOpen && order === null) {
    return { fault: "may be read day first or month first. Say the date order." };
  }
  const [only] = date.days.values();
  const day = order === null || date.isFixed ? only : date.days.get(order);
  if (day === undefined) {
    return { fault: `is not a date in the order ${orderTexts[order ?? "ymd"]}.` };
  }
  const timeMs = date.timeMs ?? rules.timeMs;
  if (timeMs === null) return { fault: "has no time of day. Say which one counts." };
  const local = day + timeMs;
  if (date.offset !== null) return { instant: rfc3339(local - date.offset * 60_000) };
  if (rules.zone === null) return { fault: "has no time zone. Say which one it is in." };
  const found = instantsOf(local, rules.zone);
  const [instant] = found;
  if (instant === undefined) {
    return { fault: `does not exist in ${rules.zone}: clocks were put forward.` };
  }
  if (found.length === 1) return { instant: rfc3339(instant) };
  return {
    fault: `exists twice in ${rules.zone}: clocks were put back. Write the offset: ${found
      .map((each) => offsetText(local - each))
      .join(" or ")}.`,
  };
}

/** The orders in words. */
const orderTexts: Readonly<Record<DateOrder, string>> = {
  dmy: "day, month, year",
  mdy: "month, day, year",
  ymd: "year, month, day",
};

function rfc3339(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / 60_000;
  const two = (part: number) => String(part).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

const dayLengthMs = 86_400_000;
/** The offsets around each day that was met, in milliseconds, by zone and day. */
const offsets = new Map<string, readonly number[]>();
const offsetsMax = 10_000;

/** The instants at which clocks of a zone show a time: one, none or two. */
function instantsOf(local: number, zone: string): readonly number[] {
  const day = Math.floor(local / dayLengthMs);
  const key = `${zone} ${day}`;
  let around = offsets.get(key);
  if (around === undefined) {
    const before = offsetAt(zone, (day - 1) * dayLengthMs);
    around = [...new Set([before, offsetAt(zone, (day + 2) * dayLengthMs)])];
    if (offsets.size >= offsetsMax) offsets.clear();
    offsets.set(key, around);
  }
  const [only, ...others] = around;
  if (only !== undefined && others.length === 0) return [local - only];
  return around
    .map((each) => local - each)
    .filter((instant) => offsetAt(zone, instant) === local - instant)
    .toSorted((a, b) => a - b);
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far a zone's clocks are ahead of UTC at an instant, in milliseconds. */
function offsetAt(timeZone: string, instant: number): number {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(timeZone, format);
  }
  const of = Object.fromEntries(
    format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = of;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1_000) * 1_000;
}

/** Whether a text is a time zone: an IANA name, `UTC`, or an offset such as `+01:00`. */
export function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
