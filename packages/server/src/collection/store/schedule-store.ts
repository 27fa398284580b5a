import type { Selectable } from "kysely";
import { claimDue } from "../../control/claims.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { ControlDatabase } from "../../control/database.ts";
import type { DueSchedule } from "./collection-store.ts";
import type { CollectionTables } from "./collection-tables.ts";

/** Accounts whose schedule is due, the longest due first. */
export async function schedulesDue({ database }: ControlEngine, now: number, accountsMax: number) {
  const rows = await database
    .selectFrom("schedules")
    .selectAll()
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("account_id")
    .limit(accountsMax)
    .execute();
  return rows.map(toDue);
}

/** Claims an account's schedule until `untilMs`. @returns null: another caller has it. */
export async function claimSchedule(control: ControlEngine, due: DueSchedule, untilMs: number) {
  const isOwn = await claimDue(control, dueRow(due), untilMs);
  return isOwn ? { ...due, nextAt: untilMs } : null;
}

/**
 * Records the planned slots and the next due time; null: the account has no cadence.
 * @returns false: the workspace changed or another caller has the schedule; nothing was written.
 */
export async function recordPlanned(
  control: ControlEngine,
  due: DueSchedule,
  { nextAt, plannedTo }: Pick<DueSchedule, "plannedTo"> & { readonly nextAt: number | null },
): Promise<boolean> {
  if (nextAt !== null) {
    return claimDue(control, dueRow(due), nextAt, { planned_to: JSON.stringify(plannedTo) });
  }
  const { numDeletedRows } = await control.database
    .deleteFrom("schedules")
    .where("account_id", "=", due.accountId)
    .where("next_at", "=", due.nextAt)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

function dueRow({ accountId, nextAt: dueAt }: DueSchedule) {
  return { table: "schedules", is: { account_id: accountId }, dueAt } as const;
}

/**
 * Makes a schedule due immediately, in the transaction that changes the workspace: its cadences and
 * caps may have changed.
 */
export async function makeScheduleDue(
  database: ControlDatabase,
  accountId: string,
  now: number,
): Promise<void> {
  await database.deleteFrom("spend_holds").where("account_id", "=", accountId).execute();
  await database
    .insertInto("schedules")
    .values({ account_id: accountId, next_at: now, planned_to: "{}" })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet({ next_at: now }))
    .execute();
}

function toDue(row: Selectable<CollectionTables["schedules"]>): DueSchedule {
  return {
    accountId: row.account_id,
    nextAt: row.next_at,
    plannedTo: JSON.parse(row.planned_to) as DueSchedule["plannedTo"],
  };
}
