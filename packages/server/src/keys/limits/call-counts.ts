import type { QuotaState } from "./daily-quota.ts";
import type { Verdict } from "./rate-limiter.ts";

/** A call that counts towards the limits of its key; null: that limit is off. */
export interface CallToCount {
  readonly keyId: string;
  readonly ratePerSecond: number | null;
  readonly dailyQuota: number | null;
}

/** The outcome of a call. A refused call counts towards neither limit. */
export interface CountedCall {
  /** The limit that refused the call, the day's first; null: it was counted. */
  readonly refusedBy: "rate" | "day" | null;
  /** Null: the rate is off, or the day's quota refused the call. */
  readonly rate: Verdict | null;
  /** Null: the quota is off. */
  readonly day: QuotaState | null;
}

/** A lookup of a key, which counts when the key is not found. */
export interface CountedLookup {
  readonly verdict: Verdict;
  /** Call it once when the verdict allows the lookup, with whether the key was found. */
  readonly ended: (isFound: boolean) => Promise<void>;
}

/** The port of call counts: in this process, or in Redis for all nodes. The account comes first. */
export interface CallCounts {
  /** Counts one call unless a limit refuses it. @throws ServiceError overloaded. */
  readonly take: (accountId: string, call: CallToCount) => Promise<CountedCall>;
  /** Begins a lookup for a group of addresses. @throws ServiceError overloaded. */
  readonly beginLookup: (addressGroup: string) => Promise<CountedLookup>;
  /** Saves the day's counts to control; call it often. */
  readonly save: () => Promise<void>;
  /** Saves a last time and releases connections. */
  readonly close: () => Promise<void>;
}

/** A burst may have this many seconds' worth of calls. */
export const burstFactor = 2;

/** The rate of failed lookups per address. */
export const failedExchangeRate = { calls: 10, perMs: 60_000, burst: 10 } as const;
