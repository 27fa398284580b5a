import type { Clock } from "../platform/clock.ts";
import type { ControlAddress, ControlEngine } from "./control-engine.ts";
import { openSqliteEngine } from "./sqlite-engine.ts";

/** Options of opening control. */
export interface ControlOptions {
  /**
   * How long a write to a SQLite file waits for another process; half a minute when omitted. It
   * blocks the thread: a service waits less and retries.
   */
  readonly writeWaitMs?: number;
  /** The timeout of a statement in PostgreSQL; a minute when omitted. */
  readonly statementMs?: number;
}

/** Opens control, the database of accounts, workspaces and keys, and migrates it if needed. */
export async function openControl(
  address: ControlAddress,
  clock: Clock,
  { writeWaitMs, statementMs }: ControlOptions = {},
): Promise<ControlEngine> {
  if ("sqlite" in address) return openSqliteEngine(address.sqlite, writeWaitMs);
  // The driver is loaded only when it is needed.
  const { openPostgresEngine } = await import("./postgres/postgres-engine.ts");
  return openPostgresEngine(address.postgres, clock, statementMs);
}
