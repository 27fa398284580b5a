import type { Exchange } from "../adapter.ts";
import { isObject, type JsonObject } from "./read-json.ts";

/** A limit that asks for more is looked at again after a day. */
const waitMsMax = 86_400_000;

/** Limits whose header fields tell what remains and when it is full again, by vendor's spelling. */
const limits = [
  ["anthropic-ratelimit-", "requests"],
  ["anthropic-ratelimit-", "tokens"],
  ["anthropic-ratelimit-", "input-tokens"],
  ["anthropic-ratelimit-", "output-tokens"],
  ["x-ratelimit-", "requests"],
  ["x-ratelimit-", "tokens"],
] as const;

/** The header fields that are read here, in lower case: a transport keeps these. */
export const waitHeaders: readonly string[] = [
  ...["retry-after", "retry-after-ms"],
  ...limits.flatMap(([prefix, kind]) => namesOf(prefix, kind)),
];

/**
 * How long a vendor asks to wait, in milliseconds from its reply on: `Retry-After` in seconds or as
 * a date (RFC 9110), when used-up limits are full again, or Google's `RetryInfo`. Null: not said.
 */
export function waitAskedFor(exchange: Exchange, error: JsonObject): number | null {
  const { headers } = exchange.reply;
  const milliseconds = finite(headers["retry-after-ms"]);
  const asked =
    milliseconds ??
    untilMs(headers["retry-after"], exchange.at) ??
    resetMs(headers, exchange.at) ??
    retryInfoMs(error);
  return asked === null ? null : Math.min(Math.max(Math.ceil(asked), 0), waitMsMax);
}

/** Seconds, or a date. */
function untilMs(value: string | undefined, at: number): number | null {
  if (value === undefined) return null;
  const seconds = finite(value);
  if (seconds !== null) return seconds * 1_000;
  // JavaScript reads almost anything as a date: those of HTTP and of RFC 3339 are meant.
  const date = /^(?:[A-Z][a-z]{2}, |\d{4}-\d{2}-)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : date - at;
}

/** When the last of the used-up limits is full again. */
function resetMs(headers: Readonly<Record<string, string>>, at: number): number | null {
  const waits = limits.flatMap(([prefix, kind]) => {
    const [remaining = "", reset = ""] = namesOf(prefix, kind);
    const value = headers[reset];
    if (headers[remaining] !== "0" || value === undefined) return [];
    return [durationMs(value) ?? untilMs(value, at) ?? 0];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/** Of "anthropic-ratelimit-requests-remaining" and "x-ratelimit-remaining-requests". */
function namesOf(prefix: string, kind: string): readonly [remaining: string, reset: string] {
  return prefix === "x-ratelimit-"
    ? [`${prefix}remaining-${kind}`, `${prefix}reset-${kind}`]
    : [`${prefix}${kind}-remaining`, `${prefix}${kind}-reset`];
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** OpenAI's durations, such as 6m0s or 120ms, and Google's, such as 34.07s. */
function durationMs(value: string): number | null {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|[hms]))+$/.test(value)) return null;
  const parts = value.matchAll(/([\d.]+)(ms|[hms])/g);
  return [...parts].reduce(
    (sum, [, size, unit]) => sum + Number(size) * (unitMs[unit ?? ""] ?? 0),
    0,
  );
}

/** Google's `RetryInfo` among the details of an error. */
function retryInfoMs(error: JsonObject): number | null {
  const details = error["details"];
  const info = (Array.isArray(details) ? details : []).find(
    (detail) => isObject(detail) && String(detail["@type"]).endsWith("google.rpc.RetryInfo"),
  );
  const delay: unknown = isObject(info) ? info["retryDelay"] : undefined;
  return typeof delay === "string" ? durationMs(delay) : null;
}

function finite(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;
}
