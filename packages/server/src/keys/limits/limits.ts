import { ServiceError } from "../../platform/service-error.ts";
import type { KeyRecord, Limit } from "../key-store.ts";
import { burstFactor, type CallCounts } from "./call-counts.ts";
import type { QuotaState } from "./daily-quota.ts";
import { FailedExchangeLimit } from "./failed-exchange-limit.ts";
import type { Verdict } from "./rate-limiter.ts";

/** The limits of a key without its own. */
export interface LimitDefaults {
  /** Calls per second; bursts of twice as many are allowed. */
  readonly ratePerSecond: Limit;
  /** Calls per UTC day. */
  readonly dailyQuota: Limit;
}

/** A key whose calls are counted. */
export type LimitedKey = Pick<KeyRecord, "id" | "accountId" | "ratePerSecond" | "dailyQuota">;

/** The limits of a key's own; null: none. */
export type KeyLimits = Pick<KeyRecord, "ratePerSecond" | "dailyQuota">;

/** Header fields of a reply: the state of the caller's limits. */
export type LimitFields = Readonly<Record<string, string>>;

/** Counts calls against each key's limits, and failed exchanges against each address. */
export class Limits {
  /** Exchanges look up their keys through it. */
  readonly failedExchanges: FailedExchangeLimit;
  readonly #defaults: LimitDefaults;
  readonly #counts: CallCounts;

  constructor(defaults: LimitDefaults, counts: CallCounts) {
    this.#defaults = defaults;
    this.#counts = counts;
    this.failedExchanges = new FailedExchangeLimit(counts);
  }

  /**
   * Takes one call from a key's rate and quota.
   * @returns the header fields that say what is left.
   * @throws ServiceError quota_exhausted or rate_limited, with the same fields and Retry-After; the
   * call then counts towards neither. Overloaded, when calls cannot be counted now.
   */
  async take(key: LimitedKey): Promise<LimitFields> {
    const { ratePerSecond, dailyQuota } = this.of(key);
    const [rate, quota] = [numberOf(ratePerSecond), numberOf(dailyQuota)];
    const call = { keyId: key.id, ratePerSecond: rate, dailyQuota: quota };
    const { refusedBy, rate: verdict, day } = await this.#counts.take(key.accountId, call);
    if (refusedBy === "day" && quota !== null && day !== null) throw exhausted(quota, day);
    const fields = limitFields([
      ...(rate === null || verdict === null ? [] : [ratePolicy(rate, verdict)]),
      ...(quota === null || day === null ? [] : [dayPolicy(quota, day)]),
    ]);
    if (verdict?.allowed === false) throw tooFast(rate ?? 0, verdict, fields);
    return fields;
  }

  /** The limits that count for a key: its own, else the defaults. */
  of({ ratePerSecond, dailyQuota }: KeyLimits): LimitDefaults {
    return {
      ratePerSecond: ratePerSecond ?? this.#defaults.ratePerSecond,
      dailyQuota: dailyQuota ?? this.#defaults.dailyQuota,
    };
  }

  /** Saves the day's counts; to be called often. */
  save(): Promise<void> {
    return this.#counts.save();
  }

  /** Saves the day's counts last of all, and ends. */
  close(): Promise<void> {
    return this.#counts.close();
  }
}

function numberOf(limit: Limit): number | null {
  return limit === "off" ? null : limit;
}

interface PolicyState {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
  readonly remaining: number;
  readonly resetSeconds: number;
}

function ratePolicy(rate: number, { remaining, resetSeconds }: Verdict): PolicyState {
  const quota = rate * burstFactor;
  return { name: "rate", quota, windowSeconds: burstFactor, remaining, resetSeconds };
}

function dayPolicy(quota: number, { remaining, resetSeconds }: QuotaState): PolicyState {
  return { name: "day", quota, windowSeconds: 86_400, remaining, resetSeconds };
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10; none when nothing is limited. */
function limitFields(states: readonly PolicyState[]): LimitFields {
  if (states.length === 0) return {};
  return {
    "RateLimit-Policy": states
      .map(({ name, quota, windowSeconds }) => `"${name}";q=${quota};w=${windowSeconds}`)
      .join(", "),
    RateLimit: states
      .map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`)
      .join(", "),
  };
}

function exhausted(quota: number, day: QuotaState): ServiceError {
  return new ServiceError(
    "quota_exhausted",
    `The daily quota of ${quota} calls is used up. It resets in Retry-After seconds.`,
    {
      headers: {
        ...limitFields([dayPolicy(quota, day)]),
        "Retry-After": String(day.resetSeconds),
      },
    },
  );
}

function tooFast(rate: number, verdict: Verdict, fields: LimitFields): ServiceError {
  return new ServiceError(
    "rate_limited",
    `The rate limit of this key is ${rate}/s. Wait Retry-After seconds, then call more slowly.`,
    { headers: { ...fields, "Retry-After": String(verdict.retryAfterSeconds) } },
  );
}
