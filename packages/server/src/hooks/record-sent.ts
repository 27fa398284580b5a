import { whyFailed } from "../platform/failed-work.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";

/**
 * Writes the outcome of an event that was sent; retried while another process writes to control.
 * @throws ServiceError overloaded when control stays locked. With SQLite's own error the caller
 * would repeat all of its work and send the event again.
 */
export async function recordSent(work: () => Promise<void>): Promise<void> {
  try {
    await retryWhileLocked(work);
  } catch (error) {
    throw whyFailed(error) === "busy" ? notRecorded() : error;
  }
}

function notRecorded(): ServiceError {
  const detail =
    "The event was sent, but how that went could not be noted: another change is being written. " +
    "It is sent again after a minute.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "60" } });
}
