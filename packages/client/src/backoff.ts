/** The maximum wait before the first retry; it doubles with each further one. */
export const firstBackoffMs = 500;
/** The maximum wait before any retry, unless the service says otherwise. */
export const backoffMsMax = 8_000;

/**
 * The wait before a retry, in whole milliseconds, as timers count: as long as the service said,
 * plus a random time up to a bound that doubles with each retry ("full jitter": callers that failed
 * together do not return together). `retries` counts those already made; `random` is from 0 to 1.
 */
export function backoffMs(
  retries: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number {
  const bound = Math.min(backoffMsMax, firstBackoffMs * 2 ** retries);
  return (retryAfterSeconds ?? 0) * 1_000 + Math.ceil(random * bound);
}
