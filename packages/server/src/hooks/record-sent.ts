import { whyFailed } from "../platform/failed-work.ts";
import { ServiceError } from "../platform/service-error.ts";
import { retryWhileLocked } from "../platform/when-writable.ts";

/**
 * Notes what became of an event that was sent; tried again while others write control.
 * @throws ServiceError overloaded when they do for long. SQLite's own error would have the caller
 * repeat all of its work, and send the event once more.
 */
export async function recordSent(work: () => Promise<void>): Promise<void> {
  try {
    await retryWhileLocked(work);
  } catch (error) {
    throw whyFailed(error) === "busy" ? notNoted() : error;
  }
}

function notNoted(): ServiceError {
  const detail =
    "The event was sent, but how that went could not be noted: another change is being written. " +
    "It is sent again after a minute.";
  return new ServiceError("overloaded", detail, { headers: { "Retry-After": "60" } });
}
