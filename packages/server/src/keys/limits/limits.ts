import { addressGroup } from "../../http/callers.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logger.ts";
import { createRedisMetric, type Metrics } from "../../platform/metrics.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { KeyRecord, Limit } from "../key-store.ts";
import { burstFactor, type CallCounts } from "./call-counts.ts";
import type { QuotaState } from "./daily-quota.ts";
import { LocalCounts } from "./local-counts.ts";
import type { Verdict } from "./rate-limiter.ts";
import { openSharedCounts } from "./redis/shared-counts.ts";
import type { UsageStore } from "./usage-store.ts";

/** The limits of keys that have none of their own. */
export interface LimitDefaults {
  /** Calls per second; bursts of twice as many are allowed. */
  readonly ratePerSecond: Limit;
  /** Calls per UTC day. */
  readonly dailyQuota: Limit;
}

/** A key whose calls are counted. */
type LimitedKey = Pick<KeyRecord, "id" | "accountId" | "ratePerSecond" | "dailyQuota">;

/** A key's own limits; null: the defaults apply. */
export type KeyLimits = Pick<KeyRecord, "ratePerSecond" | "dailyQuota">;

/** The header fields of a reply that show the state of the caller's limits. */
export type LimitFields = Readonly<Record<string, string>>;

/** Limits the calls of each key and the failed exchanges of each address. */
export class Limits {
  /** Throttles the lookups of keys by address. */
  readonly failedExchanges: FailedExchangeLimit;
  readonly #defaults: LimitDefaults;
  readonly #counts: CallCounts;

  constructor(defaults: LimitDefaults, counts: CallCounts) {
    this.#defaults = defaults;
    this.#counts = counts;
    this.failedExchanges = new FailedExchangeLimit(counts);
  }

  /**
   * Counts one call against a key's rate and quota.
   * @returns the header fields with the remaining calls.
   * @throws ServiceError quota_exhausted or rate_limited, with these fields and Retry-After; the
   * call then counts towards neither. ServiceError overloaded when calls cannot be counted.
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

  /** The limits that apply to a key: its own, else the defaults. */
  of({ ratePerSecond, dailyQuota }: KeyLimits): LimitDefaults {
    return {
      ratePerSecond: ratePerSecond ?? this.#defaults.ratePerSecond,
      dailyQuota: dailyQuota ?? this.#defaults.dailyQuota,
    };
  }

  /** Saves the day's counts; call it often. */
  save(): Promise<void> {
    return this.#counts.save();
  }

  /** Saves the day's counts a last time and releases connections. */
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

/**
 * Throttles addresses whose keys are not found. Lookups of one address run one after another, and
 * each failure is counted before the next lookup begins: concurrent guesses get no additional
 * lookups, and concurrent exchanges of valid keys do not wait.
 */
class FailedExchangeLimit {
  readonly #counts: Pick<CallCounts, "beginLookup">;
  /** The end of the last running lookup, by address. */
  readonly #ends = new Map<string, Promise<unknown>>();

  constructor(counts: Pick<CallCounts, "beginLookup">) {
    this.#counts = counts;
  }

  /**
   * Runs `find` for an address. A result of null counts as a failure, an error does not.
   * @throws ServiceError rate_limited when too many recent lookups of the address failed.
   */
  async lookUp<Found>(address: string, find: () => Promise<Found | null>): Promise<Found | null> {
    const group = addressGroup(address);
    const found = this.#after(this.#ends.get(group), group, find);
    const end = found.catch(() => undefined);
    this.#ends.set(group, end);
    try {
      return await found;
    } finally {
      if (this.#ends.get(group) === end) this.#ends.delete(group);
    }
  }

  async #after<Found>(
    before: Promise<unknown> | undefined,
    group: string,
    find: () => Promise<Found | null>,
  ): Promise<Found | null> {
    await before;
    const { verdict, ended } = await this.#counts.beginLookup(group);
    if (!verdict.allowed) throw tooManyFailures(verdict.retryAfterSeconds);
    let isFailure = false;
    try {
      const found = await find();
      isFailure = found === null;
      return found;
    } finally {
      await ended(!isFailure);
    }
  }
}

function tooManyFailures(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    "rate_limited",
    "Too many exchanges from this address failed. Check the key before you try again.",
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );
}

/** Configures where calls are counted. */
interface CountsConfig {
  /** The address of Redis; null: calls are counted in this process. */
  readonly redisUrl: string | null;
  readonly redisDown: "local" | "refuse";
}

/** Dependencies of the counts. */
interface CountsParts {
  readonly clock: Clock;
  readonly store: UsageStore;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "registry">;
}

/** Opens the counts: in Redis if it is configured, else in this process. */
export async function openCounts(
  { redisUrl: url, redisDown: whenDown }: CountsConfig,
  { clock, store, logger, metrics }: CountsParts,
): Promise<CallCounts> {
  if (url === null) return new LocalCounts(clock, store);
  const redisUp = createRedisMetric(metrics.registry);
  const onChange = (isUp: boolean) => redisUp.set(isUp ? 1 : 0);
  return openSharedCounts({ url, whenDown, store, clock, logger, onChange });
}
