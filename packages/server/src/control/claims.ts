import { sql } from "kysely";
import type { ControlEngine } from "./control-engine.ts";

/** Tables with a row per unit of work, and the column that holds its due time. */
const dueColumns = {
  hooks: "look_at",
  hook_deliveries: "next_at",
  schedules: "next_at",
  report_schedules: "next_at",
  sweep_parts: "claimed_until",
} as const;

type Values = Readonly<Record<string, string | number | null>>;

/** A unit of work that is due, as the caller read or claimed it. */
export interface DueRow {
  readonly table: keyof typeof dueColumns;
  /** Columns that identify the row or must still have these values. */
  readonly is: Values;
  /** Its due time, which is also the end of the caller's claim; in milliseconds since 1970, UTC. */
  readonly dueAt: number;
}

/**
 * Moves the due time of work unless another caller moved it first. Processes and nodes share work
 * through this conditional update alone: claiming a row moves its due time to the end of the claim,
 * renewing moves it further, and releasing or finishing moves it to the next due time and writes
 * `values`. The claim of a crashed worker expires: the row is due again.
 * @returns false: another caller has the row, or it is gone; nothing was written.
 */
export async function claimDue(
  { database }: Pick<ControlEngine, "database">,
  { table, is, dueAt }: DueRow,
  untilMs: number,
  values: Values = {},
): Promise<boolean> {
  const due = dueColumns[table];
  const set = Object.entries({ ...values, [due]: untilMs }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const held = Object.entries({ ...is, [due]: dueAt }).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  );
  const update = sql`update ${sql.table(table)}
    set ${sql.join(set)} where ${sql.join(held, sql` and `)}`;
  return (await update.execute(database)).numAffectedRows === 1n;
}
