import type { DeclaredReport } from "@sightline/contract";
import type { Selectable } from "kysely";
import { claimDue } from "../control/claims.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import { type Cadence, nextSlotAt, plannedAt } from "./cadence.ts";

/** An account whose reports are due, or will be. Times in milliseconds since 1970, UTC. */
export interface ReportSchedule {
  readonly accountId: string;
  readonly nextAt: number;
  /** Cadence key → slots up to here have been made. */
  readonly plannedTo: Readonly<Record<string, number>>;
}

/** When a report is made by itself; null: at no time. */
export function cadenceOf({ schedule }: DeclaredReport): Cadence | null {
  return schedule === undefined ? null : { cron: schedule, timeZone: "UTC" };
}

/** The times at which reports are made by themselves. */
export function cadencesOf(reports: readonly DeclaredReport[]): readonly Cadence[] {
  return reports.flatMap((report) => cadenceOf(report) ?? []);
}

/**
 * Schedules the reports of a workspace, in the transaction that changes it. What is new is due from
 * `now` on; what was scheduled before keeps its slots.
 */
export async function scheduleReports(
  database: ControlDatabase,
  accountId: string,
  { reports, now }: { readonly reports: readonly DeclaredReport[]; readonly now: number },
): Promise<void> {
  const cadences = cadencesOf(reports);
  const row = await database
    .selectFrom("report_schedules")
    .selectAll()
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  const before = row === undefined ? {} : toSchedule(row).plannedTo;
  const known = Object.entries(plannedAt(cadences, now));
  const plannedTo = Object.fromEntries(known.map(([key, at]) => [key, before[key] ?? at]));
  const nextAt = nextSlotAt(cadences, Math.min(now, ...Object.values(plannedTo)));
  if (nextAt === null) {
    await database.deleteFrom("report_schedules").where("account_id", "=", accountId).execute();
    return;
  }
  const written = { next_at: nextAt, planned_to: JSON.stringify(plannedTo) };
  await database
    .insertInto("report_schedules")
    .values({ account_id: accountId, ...written })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(written))
    .execute();
}

/** Accounts whose reports are due, the longest due first. */
export async function reportsDue(
  { database }: ControlEngine,
  now: number,
  accountsMax: number,
): Promise<readonly ReportSchedule[]> {
  const rows = await database
    .selectFrom("report_schedules")
    .selectAll()
    .where("next_at", "<=", now)
    .orderBy("next_at")
    .orderBy("account_id")
    .limit(accountsMax)
    .execute();
  return rows.map(toSchedule);
}

/** Claims an account's reports until `untilMs`. @returns null: another caller has them. */
export async function claimReports(
  control: ControlEngine,
  due: ReportSchedule,
  untilMs: number,
): Promise<ReportSchedule | null> {
  return (await claimDue(control, dueRow(due), untilMs)) ? { ...due, nextAt: untilMs } : null;
}

/**
 * Notes what was made, and when the next slot is. @returns false: the workspace changed or another
 * caller has the reports; nothing was written.
 */
export function noteReports(
  control: ControlEngine,
  claimed: ReportSchedule,
  { nextAt, plannedTo }: Pick<ReportSchedule, "nextAt" | "plannedTo">,
): Promise<boolean> {
  return claimDue(control, dueRow(claimed), nextAt, { planned_to: JSON.stringify(plannedTo) });
}

function dueRow({ accountId, nextAt: dueAt }: ReportSchedule) {
  return { table: "report_schedules", is: { account_id: accountId }, dueAt } as const;
}

function toSchedule(row: Selectable<ControlTables["report_schedules"]>): ReportSchedule {
  return {
    accountId: row.account_id,
    nextAt: row.next_at,
    plannedTo: JSON.parse(row.planned_to) as ReportSchedule["plannedTo"],
  };
}
