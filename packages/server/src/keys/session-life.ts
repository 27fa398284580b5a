/**
 * The longest lifetime of a session, in seconds: longer settings are invalid, and tokens that live
 * longer are rejected. In its own file, so that reading the settings does not load the JWT library.
 */
export const sessionSecondsMax = 3_600;

/** A page closed in the evening is still signed in the next morning. */
const idleMs = 12 * 3_600_000;
/** However often it is renewed, a browser's session ends after this time. */
const wholeMs = 7 * 86_400_000;

/** When a browser's session ends that is renewed now. All in milliseconds since 1970, UTC. */
export function endOfBrowserSession(startedAt: number, now: number): number {
  return Math.min(now + idleMs, startedAt + wholeMs);
}
