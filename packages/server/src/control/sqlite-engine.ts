import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import type { ControlEngine } from "./control-engine.ts";
import { type ControlDatabase, openControlDatabase } from "./database.ts";
import { onlyNode } from "./leases.ts";

/** Longer than SQLite's own pauses in the 20 ms for which a service waits. */
const giveWayMs = 10;
const emptyWithinMs = 20_000;
const betweenAttemptsMs = 50;

/** Writes the file again, and empties its log. @throws when readers keep the log for too long. */
async function overwriteDeleted(database: ControlDatabase): Promise<void> {
  await sql`vacuum`.execute(database);
  const endMs = performance.now() + emptyWithinMs;
  for (;;) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(database);
    if (rows[0]?.busy === 0) return;
    if (performance.now() > endMs) {
      throw new Error("Other processes read the log of control.sqlite. Do the same again.");
    }
    await pause(betweenAttemptsMs);
  }
}

/** Control in a SQLite file, which is made and migrated when need be. */
export async function openSqliteEngine(path: string, writeWaitMs?: number): Promise<ControlEngine> {
  const { database, connection } = await openControlDatabase(path);
  if (writeWaitMs !== undefined) connection.pragma(`busy_timeout = ${writeWaitMs}`);
  const dataVersion = connection.prepare("pragma data_version").pluck();
  const ownChanges = connection.prepare("select total_changes()").pluck();
  // Reading it takes and releases the file's lock: once per turn of the event loop is enough.
  let version: string | null = null;
  return {
    database,
    version: async () => {
      if (version === null) {
        version = `${dataVersion.get()}/${ownChanges.get()}`;
        setImmediate(() => {
          version = null;
        });
      }
      return version;
    },
    wrote: () => {
      version = null; // what was written counts for the next request, also of this turn
    },
    together: (work) => work(database),
    lock: async () => undefined,
    locksRows: false,
    giveWay: () => pause(giveWayMs),
    leases: onlyNode,
    dropFacts: null,
    dropLeases: null,
    overwriteDeleted: () => overwriteDeleted(database),
    // The pepper lies beside the file, and nobody else has either.
    claimPepper: async () => true,
    close: () => database.destroy(),
  };
}
