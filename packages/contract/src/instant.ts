const pattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** The pattern of `format: date-time` in the OpenAPI document. */
export const dateTimePattern =
  "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?([Zz]|[+-]\\d{2}:\\d{2})$";

/**
 * Start of the first day that can be queried: Monday 0001-01-01, so that no bucket starts before
 * it.
 */
const earliestMs = Date.parse("0001-01-01T00:00:00.000Z");
/** End of the last day that RFC 3339 can write. */
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The instant of an RFC 3339 date-time, in milliseconds since 1970-01-01T00:00:00Z; null when the
 * text is not one. An offset or `Z` is required (either case, as is `t`). Fractions of a second are
 * truncated to milliseconds. A leap second (23:59:60 UTC) is the second after it, as in POSIX.
 * Years 0001 to 9999 (UTC).
 */
export function instantOf(text: string): number | null {
  const parts = pattern.exec(text);
  if (parts === null) return null;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const [hour, minute, second] = [Number(parts[4]), Number(parts[5]), Number(parts[6])];
  if (!dayExists(year, month, day) || hour > 23 || minute > 59 || second > 60) return null;
  const [offsetHour, offsetMinute] = [Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (offsetHour > 23 || offsetMinute > 59) return null;

  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day); // Date.UTC would read the year 33 as 1933
  const offsetMs = (parts[8] === "-" ? -1 : 1) * (offsetHour * 60 + offsetMinute) * 60_000;
  const minuteMs = date.getTime() + (hour * 60 + minute) * 60_000 - offsetMs;
  if (second === 60 && !isLastMinuteOfDay(minuteMs)) return null;
  const fractionMs = Number((parts[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const instant = minuteMs + second * 1000 + (second === 60 ? 0 : fractionMs);
  return instant < earliestMs || instant > latestMs ? null : instant;
}

function dayExists(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (days[month - 1] ?? 0);
}

function isLastMinuteOfDay(minuteMs: number): boolean {
  return (((minuteMs / 60_000) % 1440) + 1440) % 1440 === 1439;
}
