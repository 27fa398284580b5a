import { ServiceError } from "../platform/service-error.ts";

/**
 * What work on control results in.
 * @throws ServiceError overloaded when another process writes the file for long, storage_full when
 * its disk is full; else what the work throws.
 */
export async function unlessUnwritable<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    const code = codeOf(error);
    if (code === "SQLITE_FULL") throw new ServiceError("storage_full", noSpace, { cause: error });
    if (!code.startsWith("SQLITE_BUSY")) throw error;
    throw new ServiceError("overloaded", inUse, { headers: { "Retry-After": "1" } });
  }
}

const noSpace = "No space is left for the change. Nothing was changed.";
const inUse = "Another change is being written. Nothing was changed; retry.";

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
