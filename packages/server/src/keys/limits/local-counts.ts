import type { Clock } from "../../platform/clock.ts";
import {
  burstFactor,
  type CallCounts,
  type CallToCount,
  type CountedCall,
  type CountedLookup,
  failedExchangeRate,
} from "./call-counts.ts";
import { DailyQuota } from "./daily-quota.ts";
import { RateLimiter } from "./rate-limiter.ts";
import type { UsageStore } from "./usage-store.ts";

/** Counts in this process's memory; exact for one node. */
export class LocalCounts implements CallCounts {
  readonly #clock: Clock;
  readonly #store: UsageStore;
  readonly #rates: RateLimiter;
  readonly #failures: RateLimiter;
  #quota: DailyQuota;

  constructor(clock: Clock, store: UsageStore) {
    this.#clock = clock;
    this.#store = store;
    this.#rates = new RateLimiter(clock);
    this.#failures = new RateLimiter(clock);
    this.#quota = new DailyQuota(clock, store);
  }

  async take(_accountId: string, call: CallToCount): Promise<CountedCall> {
    for (;;) {
      const counted = this.#takeNow(call);
      if (counted !== null) return counted;
      await this.#quota.load(call.keyId);
    }
  }

  async beginLookup(group: string): Promise<CountedLookup> {
    return {
      verdict: this.#failures.peek(group, failedExchangeRate),
      ended: async (isFound) => {
        if (!isFound) this.#failures.take(group, failedExchangeRate);
      },
    };
  }

  save(): Promise<void> {
    return this.#quota.save();
  }

  close(): Promise<void> {
    return this.save();
  }

  /** Drops the cached counts of days, which are then loaded from the store again. */
  reload(): void {
    this.#quota = new DailyQuota(this.#clock, this.#store);
  }

  /**
   * As `take`, when the key's count of today is in memory; null: it is not, and nothing was
   * counted. It does not await: two calls must not take the same last unit.
   */
  #takeNow({ keyId, ratePerSecond, dailyQuota }: CallToCount): CountedCall | null {
    const today = dailyQuota === null ? null : this.#quota.today(keyId);
    if (dailyQuota !== null && today === null) return null;
    const day = dailyQuota === null || today === null ? null : today.left(dailyQuota);
    if (day?.remaining === 0) return { refusedBy: "day", rate: null, day };
    const rate = ratePerSecond === null ? null : this.#rates.take(keyId, rateOf(ratePerSecond));
    if (rate?.allowed === false) return { refusedBy: "rate", rate, day };
    today?.add();
    const left = day === null ? null : { ...day, remaining: day.remaining - 1 };
    return { refusedBy: null, rate, day: left };
  }
}

function rateOf(ratePerSecond: number) {
  return { calls: ratePerSecond, perMs: 1000, burst: ratePerSecond * burstFactor };
}
