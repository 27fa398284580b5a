import type { KeyRecord, Limit } from "../control/key-store.ts";
import type { Clock } from "../platform/clock.ts";
import { ServiceError } from "../platform/service-error.ts";
import { DailyQuota, type QuotaState, type UsageStore } from "./daily-quota.ts";
import { Guesses } from "./guesses.ts";
import { RateLimiter, type Verdict } from "./rate-limiter.ts";

/** The limits of a key without its own. */
export interface LimitDefaults {
  /** Calls per second; bursts of twice as many are allowed. */
  readonly ratePerSecond: Limit;
  /** Calls per UTC day. */
  readonly dailyQuota: Limit;
}

/** Header fields of a reply: the state of the caller's limits. */
export type LimitFields = Readonly<Record<string, string>>;

const burstFactor = 2;

/** Counts calls against each key's limits, and failed exchanges against each address. */
export class Limits {
  /** Exchanges look up their keys through it. */
  readonly guesses: Guesses;
  readonly #defaults: LimitDefaults;
  readonly #rates: RateLimiter;
  readonly #quota: DailyQuota;

  constructor(defaults: LimitDefaults, clock: Clock, store: UsageStore) {
    this.#defaults = defaults;
    this.#rates = new RateLimiter(clock);
    this.guesses = new Guesses(clock);
    this.#quota = new DailyQuota(clock, store);
  }

  /**
   * Takes one call from a key's rate and quota.
   * @returns the header fields that say what is left.
   * @throws ServiceError quota_exhausted or rate_limited, with the same fields and Retry-After; the
   * call then counts towards neither.
   */
  async take(key: KeyRecord): Promise<LimitFields> {
    for (;;) {
      const fields = this.#takeNow(key);
      if (fields !== null) return fields;
      await this.#quota.load(key.id);
    }
  }

  /** Saves the day's counts; to be called often, and last of all at the stop. */
  save(): Promise<void> {
    return this.#quota.save();
  }

  /**
   * The same as `take` when the key's count of today is in memory; null when nothing was taken. It
   * awaits nothing: two calls must not take the same last unit.
   */
  #takeNow(key: KeyRecord): LimitFields | null {
    const rate = numberOf(key.ratePerSecond ?? this.#defaults.ratePerSecond);
    const quota = numberOf(key.dailyQuota ?? this.#defaults.dailyQuota);
    const today = quota === null ? null : this.#quota.today(key.id);
    if (quota !== null && today === null) return null;
    const day = quota === null || today === null ? null : today.left(quota);
    if (quota !== null && day !== null && day.remaining === 0) throw exhausted(quota, day);
    const verdict = rate === null ? null : this.#rates.take(key.id, rateOf(rate));
    if (verdict?.allowed !== false) today?.add();
    const left =
      day === null || verdict?.allowed === false ? day : { ...day, remaining: day.remaining - 1 };
    const fields = limitFields([
      ...(rate === null || verdict === null ? [] : [ratePolicy(rate, verdict)]),
      ...(quota === null || left === null ? [] : [dayPolicy(quota, left)]),
    ]);
    if (verdict?.allowed === false) throw tooFast(rate ?? 0, verdict, fields);
    return fields;
  }
}

function numberOf(limit: Limit): number | null {
  return limit === "off" ? null : limit;
}

function rateOf(ratePerSecond: number) {
  return { calls: ratePerSecond, perMs: 1000, burst: ratePerSecond * burstFactor };
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
