import type { Selectable } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { CollectionStore, DueSchedule } from "../collection-store.ts";
import type { ControlDatabase } from "../database.ts";
import type { CollectionTables } from "./collection-tables.ts";

/** When somebody is to look at whose cadences. */
export type ScheduleStore = Pick<
  CollectionStore,
  "schedulesDue" | "claimSchedule" | "noteScheduled"
>;

/** Schedules in control. */
export function scheduleStore(database: ControlDatabase, clock: Clock): ScheduleStore {
  return {
    schedulesDue: async (accountsMax) => {
      const rows = await database
        .selectFrom("schedules")
        .selectAll()
        .where("next_at", "<=", clock.now())
        .orderBy("next_at")
        .orderBy("account_id")
        .limit(accountsMax)
        .execute();
      return rows.map(toDue);
    },
    claimSchedule: async (due, untilMs) => {
      const { numUpdatedRows } = await database
        .updateTable("schedules")
        .set({ next_at: untilMs })
        .where("account_id", "=", due.accountId)
        .where("next_at", "=", due.nextAt)
        .executeTakeFirst();
      return numUpdatedRows === 1n ? { ...due, nextAt: untilMs } : null;
    },
    noteScheduled: async (due, { nextAt, plannedTo }) => {
      if (nextAt === null) {
        const { numDeletedRows } = await database
          .deleteFrom("schedules")
          .where("account_id", "=", due.accountId)
          .where("next_at", "=", due.nextAt)
          .executeTakeFirst();
        return numDeletedRows === 1n;
      }
      const { numUpdatedRows } = await database
        .updateTable("schedules")
        .set({ next_at: nextAt, planned_to: JSON.stringify(plannedTo) })
        .where("account_id", "=", due.accountId)
        .where("next_at", "=", due.nextAt)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
  };
}

/**
 * Has a workspace that was changed be looked at, in the transaction of the change: caps may allow
 * more now, and cadences be others.
 */
export async function lookAtSchedule(
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
