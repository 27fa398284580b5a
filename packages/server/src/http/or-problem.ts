import { whyFailed } from "../platform/failed-work.ts";
import { retryWhileLocked } from "../platform/retry-while-locked.ts";
import { ServiceError } from "../platform/service-error.ts";

/** What a caller is told of work that a thread could not do. */
interface RefusedWork {
  /** A sentence: what failed, when the fault is ours. */
  readonly failed: string;
  /** A sentence: what was changed, or what to do. */
  readonly advice: string;
}

/** What a thread's work results in. @throws ServiceError when the thread could not do it. */
export async function orProblem<Result>(
  work: Promise<Result>,
  refused: RefusedWork,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw refusedWork(error, refused);
  }
}

/** The refusal of a caller whose work failed: to be repeated, unless the fault is ours. */
export function refusedWork(cause: unknown, { failed, advice }: RefusedWork): ServiceError {
  const why = whyFailed(cause);
  if (why === "other" && cause instanceof ServiceError) return cause;
  const again = { headers: { "Retry-After": "1" }, cause };
  switch (why) {
    case "busy":
      return new ServiceError("overloaded", `Another change is being written. ${advice}`, again);
    case "away":
      return new ServiceError("overloaded", `A database is unavailable. ${advice}`, again);
    case "disk-full":
      return new ServiceError("storage_full", `No space is left. ${advice}`, { cause });
    case "other":
      return new ServiceError("internal_error", `${failed} ${advice}`, { cause });
  }
}

/**
 * What a caller's change of control results in. It is tried again while others write the file.
 * @throws ServiceError overloaded when that takes long, storage_full when the disk is full; else
 * what the work throws.
 */
export async function orBusyProblem<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await retryWhileLocked(work);
  } catch (error) {
    switch (whyFailed(error)) {
      case "disk-full":
        throw new ServiceError("storage_full", noSpace, { cause: error });
      case "busy":
        throw new ServiceError("overloaded", inUse, { headers: { "Retry-After": "1" } });
      default:
        throw error;
    }
  }
}

const noSpace = "No space is left for the change. Nothing was changed.";
const inUse = "Another change is being written. Nothing was changed; retry.";
