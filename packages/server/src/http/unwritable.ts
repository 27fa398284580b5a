import { setTimeout as pause } from "node:timers/promises";
import { ServiceError } from "../platform/service-error.ts";

/**
 * Between attempts. Each holds up the thread until SQLite gives up, some 20 ms; who collects or
 * imports writes for less, and an apply of a large workspace for seconds.
 */
const pausesMs: readonly number[] = [20, 60, 150, 400];

/**
 * What work on control results in, which changes nothing when it fails. It is tried again while
 * another process or thread writes the file.
 * @throws ServiceError overloaded when that takes longer, storage_full when the disk is full; else
 * what the work throws.
 */
export async function whenWritable<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const code = codeOf(error);
      if (code === "SQLITE_FULL") throw new ServiceError("storage_full", noSpace, { cause: error });
      if (!code.startsWith("SQLITE_BUSY")) throw error;
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined) {
        throw new ServiceError("overloaded", inUse, { headers: { "Retry-After": "1" } });
      }
      await pause(pauseMs);
    }
  }
}

const noSpace = "No space is left for the change. Nothing was changed.";
const inUse = "Another change is being written. Nothing was changed; retry.";

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
