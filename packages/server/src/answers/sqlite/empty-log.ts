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
  while (!isEmptied(database)) {
    if (performance.now() > endMs) {
      throw new Error(
        `${database.name}: all is removed, but other processes read the log, which may still ` +
          "have removed texts. Do the same again.",
      );
    }
    await pause(betweenAttemptsMs);
  }
}

/** Does not wait: nobody could record for as long as a reader, such as a backup, stays. */
function isEmptied(database: SqliteDatabase): boolean {
  const waitMs = database.pragma("busy_timeout", { simple: true });
  database.pragma("busy_timeout = 0");
  try {
    return database.pragma("wal_checkpoint(truncate)", { simple: true }) === 0;
  } finally {
    database.pragma(`busy_timeout = ${waitMs}`);
  }
}
