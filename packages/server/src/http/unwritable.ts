import { whyFailed } from "../platform/failed-work.ts";
import { ServiceError } from "../platform/service-error.ts";
import { whenWritable } from "../platform/when-writable.ts";

/**
 * What a caller's change of control results in. It is tried again while others write the file.
 * @throws ServiceError overloaded when that takes long, storage_full when the disk is full; else
 * what the work throws.
 */
export async function unlessUnwritable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await whenWritable(work);
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
