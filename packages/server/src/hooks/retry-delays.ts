import { deliveryAttemptsMax } from "@sightline/contract";

/** Waits after each failed attempt: a restart is over in a minute, an outage in a night. */
const minutes = [1, 5, 30, 120, 480];
/** Receivers that fail together are not tried again together. */
const jitter = 0.2;

/**
 * How long to wait after so many failed attempts, in milliseconds; null: the event is given up.
 * @param random from 0 up to, not including, 1.
 */
export function retryDelayMs(attempts: number, random: number): number | null {
  const wait = attempts < deliveryAttemptsMax ? minutes[attempts - 1] : undefined;
  if (wait === undefined) return null;
  return Math.round(wait * 60_000 * (1 - jitter + 2 * jitter * random));
}
