import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { theService } from "../platform/actor.ts";
import type { ControlEngine } from "./control-engine.ts";
import { type ControlDatabase, openControlDatabase } from "./database.ts";
import { onlyNode } from "./leases.ts";

/** Longer than SQLite's poll interval within the 20 ms that a service waits. */
const giveWayMs = 10;
const emptyWithinMs = 20_000;
const betweenAttemptsMs = 50;

/** Rewrites the file and truncates its log. @throws when readers hold the log for too long. */
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

/** Opens control in a SQLite file, and creates or migrates it if needed. */
export async function openSqliteEngine(path: string, writeWaitMs?: number): Promise<ControlEngine> {
  const { database, connection } = await openControlDatabase(path);
  if (writeWaitMs !== undefined) connection.pragma(`busy_timeout = ${writeWaitMs}`);
  const dataVersion = connection.prepare("pragma data_version").pluck();
  const ownChanges = connection.prepare("select total_changes()").pluck();
  // Reading the version locks the file: once per turn of the event loop is enough.
  let version: string | null = null;
  return {
    actor: theService,
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
      version = null; // the next request reads it, also within this turn
    },
    together: (work) => work(database),
    lock: async () => undefined,
    locksRows: false,
    giveWay: () => pause(giveWayMs),
    leases: onlyNode,
    dropFacts: null,
    dropLeases: null,
    overwriteDeleted: () => overwriteDeleted(database),
    // The pepper is in the same data folder, which no other node has.
    claimPepper: async () => true,
    close: () => database.destroy(),
  };
}
