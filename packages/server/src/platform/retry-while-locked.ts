import { setTimeout as pause } from "node:timers/promises";

/**
 * Between attempts. Each holds up the thread until SQLite gives up, some 20 ms; who collects or
 * imports writes for less, and an apply of a large workspace for seconds.
 */
const briefPausesMs: readonly number[] = [20, 60, 150, 400];

/**
 * What work on a SQLite file results in, which changes nothing when it fails. It is tried again
 * while another process or thread writes the file, without holding up this thread meanwhile.
 * @param pausesMs the pauses between the attempts; else some 600 ms in all.
 * @throws SQLite's busy error when that takes longer; else what the work throws.
 */
export async function retryWhileLocked<Result>(
  work: () => Promise<Result>,
  pausesMs: readonly number[] = briefPausesMs,
): Promise<Result> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = pausesMs[attempt];
      if (pauseMs === undefined || !codeOf(error).startsWith("SQLITE_BUSY")) throw error;
      await pause(pauseMs);
    }
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : "";
}
