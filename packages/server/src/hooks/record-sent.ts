import { whyFailed } from "../platform/failed-work.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";

/**
 * Writes the outcome of an event that was sent; retried while another process writes to control.
 * @throws ServiceError overloaded when control stays locked.
 */
export function recordSent(work: () => Promise<void>): Promise<void> {
  return orOverloaded(work, "The event was sent, but how that went could not be noted");
}

/**
 * Counts an event that is queued and about to be sent, as `recordSent` writes.
 * @throws ServiceError overloaded when control stays locked.
 */
export function countUnsent(work: () => Promise<boolean>): Promise<boolean> {
  return orOverloaded(work, "The event is queued, but could not be counted, and so was not sent");
}

/** With SQLite's own error the caller would repeat all of its work, and send the event again. */
async function orOverloaded<Result>(work: () => Promise<Result>, what: string): Promise<Result> {
  try {
    return await retryWhileLocked(work);
  } catch (error) {
    if (whyFailed(error) !== "busy") throw error;
    const detail = `${what}: another change is being written. It is sent again after a minute.`;
    throw new ServiceError("overloaded", detail, { headers: { "Retry-After": "60" } });
  }
}
