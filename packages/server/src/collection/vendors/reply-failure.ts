import { nextSlotAt } from "../../accounts/cadence.ts";
import type { Exchange, Failure, FailureClass } from "../adapter.ts";
import { isObject, type JsonObject, UnknownShape } from "./read-json.ts";

/** The longest wait: a longer limit is checked again after a day. */
const waitMsMax = 86_400_000;

/** Only the beginning of a message is searched for a delay. */
const messageCharactersMax = 2_000;

/** Limits whose header fields report what remains and when it is restored, by vendor's spelling. */
const limits = [
  ["anthropic-ratelimit-", "requests"],
  ["anthropic-ratelimit-", "tokens"],
  ["anthropic-ratelimit-", "input-tokens"],
  ["anthropic-ratelimit-", "output-tokens"],
  ["x-ratelimit-", "requests"],
  ["x-ratelimit-", "tokens"],
] as const;

/** The header fields that are read here, in lower case; a transport must keep them. */
export const waitHeaders: readonly string[] = [
  ...["retry-after", "retry-after-ms"],
  ...limits.flatMap(([prefix, kind]) => namesOf(prefix, kind)),
];

/**
 * The delay that a vendor requests, in milliseconds from its reply; null: none. It comes from
 * `Retry-After` in seconds or as a date (RFC 9110), from the reset of exhausted limits, or from
 * Google's `RetryInfo`. OpenAI reports daily limits in the message, Google as the name of a quota;
 * they may come with a delay of seconds, and the longer one counts.
 */
export function requestedWait(exchange: Exchange, error: JsonObject): number | null {
  const { headers } = exchange.reply;
  const milliseconds = finite(headers["retry-after-ms"]);
  const asked =
    milliseconds ??
    untilMs(headers["retry-after"], exchange.at) ??
    resetMs(headers, exchange.at) ??
    retryInfoMs(error);
  const waits = [asked, messageMs(error), dailyQuotaMs(error, exchange.at)];
  const said = waits.filter((wait) => wait !== null);
  if (said.length === 0) return null;
  return Math.min(Math.max(...said.map(Math.ceil), 0), waitMsMax);
}

/** The delay of a value in seconds or as a date. */
function untilMs(value: string | undefined, at: number): number | null {
  if (value === undefined) return null;
  const seconds = finite(value);
  if (seconds !== null) return seconds * 1_000;
  // JavaScript parses almost anything as a date; only dates of HTTP and RFC 3339 are accepted.
  const date = /^(?:[A-Z][a-z]{2}, |\d{4}-\d{2}-)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : date - at;
}

/** The delay until the last of the exhausted limits is restored. */
function resetMs(headers: Readonly<Record<string, string>>, at: number): number | null {
  const waits = limits.flatMap(([prefix, kind]) => {
    const [remaining = "", reset = ""] = namesOf(prefix, kind);
    const value = headers[reset];
    if (headers[remaining] !== "0" || value === undefined) return [];
    return [durationMs(value) ?? untilMs(value, at) ?? 0];
  });
  return waits.length === 0 ? null : Math.max(...waits);
}

/**
 * The names in the manner of "anthropic-ratelimit-requests-remaining" or
 * "x-ratelimit-remaining-requests".
 */
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

/** OpenAI's "Please try again in 7m12s." */
function messageMs({ message }: JsonObject): number | null {
  const [, duration] = /try again in ([\d.hms]{2,30}?)\.?(?:\s|$)/i.exec(textOf(message)) ?? [];
  return duration === undefined ? null : durationMs(duration);
}

/** Google's days end at midnight of this time zone. */
const googleDays = { cron: "0 0 * * *", timeZone: "America/Los_Angeles" };

/** Google's `RetryInfo` gives seconds even when a daily quota is exhausted. */
function dailyQuotaMs(error: JsonObject, at: number): number | null {
  const details = Array.isArray(error["details"]) ? error["details"].filter(isObject) : [];
  if (!details.flatMap(quotasOf).some((id) => id.includes("PerDay"))) return null;
  const midnight = nextSlotAt([googleDays], at);
  return midnight === null ? null : midnight - at;
}

/** The names of exhausted quotas in a detail of Google's error. */
function quotasOf({ violations }: JsonObject): readonly string[] {
  const listed = Array.isArray(violations) ? violations.filter(isObject) : [];
  return listed.map(({ quotaId }) => textOf(quotaId)).filter((id) => id !== "");
}

const textOf = (value: unknown): string =>
  typeof value === "string" ? value.slice(0, messageCharactersMax) : "";

function finite(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? Number(value) : null;
}

/** A vendor's documented meaning of an error whose status is ambiguous. */
export interface FailureRule {
  readonly status: number;
  /** Matched against the error's codes and message. */
  readonly says: RegExp;
  readonly class: FailureClass;
  /** The remedy, if the vendor's message does not give it; for people. */
  readonly remedy?: string;
}

/** The remedy for an unknown or retired model, for people. */
export const setModel = "Set `model` of this provider to one that the vendor offers.";

const reasonCharactersMax = 300;

/** The class of a status, unless a rule of the vendor says otherwise. */
const classByStatus: Readonly<Record<number, FailureClass>> = {
  401: "stop-vendor", // the credential is missing or wrong
  402: "stop-vendor", // the balance is used up
  403: "stop-vendor", // the credential may not do this
  408: "retry",
  409: "retry", // conflicts are of a moment
  425: "retry",
  429: "wait",
  499: "retry", // Google's CANCELLED
};

/** The failure of a reply; null: its status is 200. */
export function replyFailure(exchange: Exchange, rules: readonly FailureRule[]): Failure | null {
  const { status, body } = exchange.reply;
  if (status === 200) return null;
  const error = errorOf(body);
  const words = wordsOf(error);
  const rule = rules.find((each) => each.status === status && each.says.test(words));
  const byStatus = status >= 500 ? "retry" : (classByStatus[status] ?? "give-up");
  return {
    class: rule?.class ?? byStatus,
    reason: reasonOf(
      `HTTP ${status}: ${words === "" ? "no reason is given" : words}`,
      rule?.remedy,
    ),
    afterMs: requestedWait(exchange, error),
  };
}

/** A failure that a retry would not fix. */
export function giveUp(reason: string): Failure {
  return { class: "give-up", reason: reasonOf(reason), afterMs: null };
}

/** A failure that a vendor reports in a reply of status 200. */
export function reportedFailure(reported: FailureClass, reason: string): Failure {
  return { class: reported, reason: reasonOf(reason), afterMs: null };
}

/**
 * The failure of a reply of status 200 that is not understood: it was paid for, so it is not
 * retried.
 */
export function notUnderstood(error: unknown): Failure {
  const said = error instanceof UnknownShape ? error.message : "the reply could not be read";
  return giveUp(`not understood: ${said}`);
}

/** The error object of a body; empty: it has none. */
function errorOf(body: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return {};
  }
  const first: unknown = Array.isArray(value) ? value[0] : value;
  if (!isObject(first)) return {};
  const error = first["error"];
  return isObject(error) ? error : { ...first, message: error ?? first["message"] };
}

/** The error's codes and message, if they are texts. */
function wordsOf(error: JsonObject): string {
  const details = error["details"];
  const listed = Array.isArray(details) ? details.filter(isObject) : [details].filter(isObject);
  const codes = ["type", "code", "status"].map((field) => error[field]);
  const detailed = listed.flatMap((detail) => [
    ...[detail["error_code"], detail["reason"]],
    ...quotasOf(detail),
  ]);
  const message = error["message"] ?? error["detail"] ?? error["status_message"];
  return [...codes, ...detailed, message]
    .filter((word) => typeof word === "string" && word !== "")
    .join(" ");
}

/** A credential, or one that the vendor masked. */
const secretLike = /\b(?:sk|pplx|xai|AIza|key)[-_]?[\w*.-]{6,}|\S*\*{3}\S*|Bearer\s+\S+/g;
const controls = /\p{Cc}+/gu;

/** A reason for people: short, on one line, without what looks like a credential. */
function reasonOf(text: string, remedy?: string): string {
  // Cut first: patterns over a body of megabytes take long.
  const plain = text.slice(0, 4 * reasonCharactersMax).replace(controls, " ");
  const end = remedy === undefined ? "" : ` ${remedy}`;
  const said = plain.replace(secretLike, "…").slice(0, reasonCharactersMax - end.length);
  return `${said}${end}`.toWellFormed();
}
