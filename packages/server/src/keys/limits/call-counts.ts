import type { QuotaState } from "./daily-quota.ts";
import type { Verdict } from "./rate-limiter.ts";

/** A call that counts towards the limits of its key; null: that limit is off. */
export interface CallToCount {
  readonly keyId: string;
  readonly ratePerSecond: number | null;
  readonly dailyQuota: number | null;
}

/** What became of a call. One that a limit refused counts towards neither. */
export interface CountedCall {
  /** Null: it was counted. The day comes first. */
  readonly refusedBy: "rate" | "day" | null;
  /** Null: the rate is off, or the day refused the call. */
  readonly rate: Verdict | null;
  /** Null: the quota is off. */
  readonly day: QuotaState | null;
}

/** A lookup of a key that may turn out to be a guess. */
export interface CountedLookup {
  readonly verdict: Verdict;
  /** To be called once when the verdict allows the lookup: whether the key was found. */
  readonly ended: (isFound: boolean) => Promise<void>;
}

/** Where calls are counted: in this process, or in Redis by all nodes. The account comes first. */
export interface CallCounts {
  /** Takes one call, unless a limit refuses it. @throws ServiceError overloaded. */
  readonly take: (accountId: string, call: CallToCount) => Promise<CountedCall>;
  /** Begins a lookup for a group of addresses. @throws ServiceError overloaded. */
  readonly beginLookup: (addressGroup: string) => Promise<CountedLookup>;
  /** Saves the day's counts to control; to be called often. */
  readonly save: () => Promise<void>;
  /** Saves once more, and ends. */
  readonly close: () => Promise<void>;
}

/** A burst may have so many times the calls of a second. */
export const burstFactor = 2;

/** Failed lookups of one address before it has to wait. */
export const failedExchangeRate = { calls: 10, perMs: 60_000, burst: 10 } as const;
