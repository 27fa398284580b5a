import { setTimeout as pause } from "node:timers/promises";
import type { SqliteDatabase } from "../../platform/sqlite.ts";

/** Readers leave the log between two batches. */
const emptyWithinMs = 20_000;
const betweenAttemptsMs = 50;

/**
 * Empties the log, where removed texts and raw replies lie as well.
 * @throws when readers keep it for too long.
 */
export async function emptyLog(database: SqliteDatabase): Promise<void> {
  const endMs = performance.now() + emptyWithinMs;
  while (database.pragma("wal_checkpoint(truncate)", { simple: true }) !== 0) {
    if (performance.now() > endMs) {
      throw new Error(
        `${database.name}: all is removed, but other processes read the log, which may still ` +
          "have removed texts. Do the same again.",
      );
    }
    await pause(betweenAttemptsMs);
  }
}
