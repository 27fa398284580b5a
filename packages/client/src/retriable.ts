import { ApiError, ConnectionError, QuotaExhaustedError } from "./errors.ts";

/** Statuses of temporary states: the service's own 408, 429 and 503, and a proxy's 502 and 504. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Whether a call may be retried after this failure. Calls read, or record answers, which repeating
 * does not change: a call that may have arrived is harmless. An internal error of the service (500)
 * may be worth one retry, as its error page says; a daily quota is not restored by retrying.
 */
export function retriable(error: unknown, retries: number): boolean {
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError) || error instanceof QuotaExhaustedError) return false;
  return passing.has(error.status) || (error.status === 500 && retries === 0);
}
