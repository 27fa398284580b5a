import type { Rate, Verdict } from "../rate-limiter.ts";

/**
 * A rate in the integers that the scripts count in: a call costs `perUs`, and each microsecond
 * restores `calls`.
 */
export interface IntegerRate {
  readonly calls: number;
  readonly perUs: number;
  readonly burst: number;
}

/** Converts a rate whose period is whole milliseconds. */
export function toIntegerRate({ calls, perMs, burst }: Rate): IntegerRate {
  return { calls, perUs: perMs * 1000, burst };
}

/** The arguments of a script that takes from a rate. */
export function rateArguments({ calls, perUs, burst }: IntegerRate): readonly number[] {
  return [calls, perUs, burst];
}

/** The verdict of RateLimiter for a rate with this use, after a call was taken or refused. */
export function verdictOf({ calls, perUs, burst }: IntegerRate, taken: RateUse): Verdict {
  const { use, allowed } = taken;
  const seconds = (amount: number) => Math.ceil(amount / calls / 1_000_000);
  return {
    allowed,
    remaining: Math.floor((burst * perUs - use) / perUs),
    resetSeconds: seconds(use),
    retryAfterSeconds: allowed ? 0 : Math.max(1, seconds(use + perUs - burst * perUs)),
  };
}

/** What a script replied about a rate. */
export interface RateUse {
  readonly use: number;
  readonly allowed: boolean;
}
