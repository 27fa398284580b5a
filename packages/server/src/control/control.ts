import type { Clock } from "../platform/clock.ts";
import type { ControlAddress, ControlEngine } from "./control-engine.ts";
import { openSqliteEngine } from "./sqlite-engine.ts";

/** How control is opened. */
export interface ControlOptions {
  /**
   * How long a write to a SQLite file waits for another process's before it fails; else half a
   * minute. It waits and blocks the thread: a service tries again later instead.
   */
  readonly writeWaitMs?: number;
  /** How long a statement in PostgreSQL may take; else a minute. */
  readonly statementMs?: number;
}

/**
 * Opens control: who is served, what they track and with which keys they ask. Tables are made and
 * migrated when need be.
 */
export async function openControl(
  address: ControlAddress,
  clock: Clock,
  { writeWaitMs, statementMs }: ControlOptions = {},
): Promise<ControlEngine> {
  if ("sqlite" in address) return openSqliteEngine(address.sqlite, writeWaitMs);
  // Its driver is loaded where it is used.
  const { openPostgresEngine } = await import("./postgres/postgres-engine.ts");
  return openPostgresEngine(address.postgres, clock, statementMs);
}
