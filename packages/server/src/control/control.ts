import { type Actor, theService } from "../platform/actor.ts";
import type { Clock } from "../platform/clock.ts";
import { actingFor, type ControlAddress, type ControlEngine } from "./control-engine.ts";
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
  /** In whose name it writes; the service's when omitted. */
  readonly actor?: Actor;
}

/** Opens control, the database of accounts, workspaces and keys, and migrates it if needed. */
export async function openControl(
  address: ControlAddress,
  clock: Clock,
  { writeWaitMs, statementMs, actor = theService }: ControlOptions = {},
): Promise<ControlEngine> {
  if ("sqlite" in address) {
    return actingFor(await openSqliteEngine(address.sqlite, writeWaitMs), actor);
  }
  // The driver is loaded only when it is needed.
  const { openPostgresEngine } = await import("./postgres/postgres-engine.ts");
  return actingFor(await openPostgresEngine(address.postgres, clock, statementMs), actor);
}
