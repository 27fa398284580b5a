import { ApiError, ConnectionError, QuotaExhaustedError } from "./errors.ts";
import type { Call } from "./send.ts";

/** Statuses of temporary states: the service's own 408, 429 and 503, and a proxy's 502 and 504. */
const passing: ReadonlySet<number> = new Set([408, 429, 502, 503, 504]);

/**
 * Whether a call may be retried after this failure. Most calls read, or change something to what it
 * already is when they are repeated: a call that may have arrived is harmless. An internal error of
 * the service (500) may be worth one retry, as its error page says; a daily quota is not restored
 * by retrying. A call that must not be done twice is only retried when it was refused before any
 * work.
 */
export function retriable(error: unknown, retries: number, { isOnce = false }: Call): boolean {
  if (error instanceof QuotaExhaustedError) return false;
  if (isOnce) return error instanceof ApiError && error.status === 429;
  if (error instanceof ConnectionError) return true;
  if (!(error instanceof ApiError)) return false;
  return passing.has(error.status) || (error.status === 500 && retries === 0);
}
