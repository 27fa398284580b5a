/** What the first retry waits at the most; each further one twice as long. */
export const firstBackoffMs = 500;
/** What no retry waits longer than, unless the service says so. */
export const backoffMsMax = 8_000;

/**
 * How long to wait before a retry, in whole milliseconds, as timers count: as long as the service
 * said, and then anything up to a bound that doubles with each retry ("full jitter": callers that
 * failed together do not come back together). `retries` counts those already made; `random` is
 * from 0 to 1.
 */
export function backoffMs(
  retries: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number {
  const bound = Math.min(backoffMsMax, firstBackoffMs * 2 ** retries);
  return (retryAfterSeconds ?? 0) * 1_000 + Math.ceil(random * bound);
}
