import { sql } from "kysely";
import type { ControlEngine } from "./control-engine.ts";

/** Tables that have a row for each piece of work, and the column that says when it is due. */
const dueColumns = {
  hooks: "look_at",
  hook_deliveries: "next_at",
  schedules: "next_at",
  sweep_parts: "claimed_until",
} as const;

type Values = Readonly<Record<string, string | number | null>>;

/** Work that is due, as its caller read it or holds it. */
export interface DueRow {
  readonly table: keyof typeof dueColumns;
  /** Columns that identify the row, and those that must still be so. */
  readonly is: Values;
  /** When it is due, and so when the caller's claim ends; in milliseconds since 1970, UTC. */
  readonly dueAt: number;
}

/**
 * Moves the instant at which work is due, unless somebody else moved it first. Processes and nodes
 * share due work by this conditional update alone: to claim a row moves it to the claim's end, to
 * renew the claim moves it on, and to release or finish it moves it to when it is due next, with
 * what is then noted. A claim whose holder dies ends by itself: the row is due again.
 * @returns false: another caller has the row, or it is gone; nothing is written.
 */
export async function claimDue(
  { database }: Pick<ControlEngine, "database">,
  { table, is, dueAt }: DueRow,
  untilMs: number,
  noted: Values = {},
): Promise<boolean> {
  const due = dueColumns[table];
  const set = Object.entries({ ...noted, [due]: untilMs }).map(
    ([column, value]) => sql`${sql.ref(column)} = ${value}`,
  );
  const held = Object.entries({ ...is, [due]: dueAt }).map(([column, value]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  );
  const update = sql`update ${sql.table(table)}
    set ${sql.join(set)} where ${sql.join(held, sql` and `)}`;
  return (await update.execute(database)).numAffectedRows === 1n;
}
