import { type HookEvent, hookEvents, type SummaryMetricName } from "@sightline/contract";
import type { Selectable } from "kysely";
import { claimDue } from "../control/claims.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";

/** What was lastNotified last of each metric that moved. */
export type LastNotified = {
  readonly [Metric in SummaryMetricName]?: {
    readonly direction: "up" | "down";
    /** The end of the compared days, in milliseconds since 1970. */
    readonly to: number;
  };
};

/** A webhook as it is stored. Times in milliseconds since 1970, UTC. */
export interface HookRecord {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly name: string;
  /** In the contract's order; at least one. */
  readonly events: readonly HookEvent[];
  /** Encrypted. */
  readonly secret: Buffer;
  readonly createdAt: number;
  /** Null: active. */
  readonly disabledAt: number | null;
  /** When somebody is to look next whether there is an event. */
  readonly nextCheckAt: number;
  /** The end of the week of its last digest; null: there was none. */
  readonly digestedTo: number | null;
  readonly lastNotified: LastNotified;
}

/** The parts of a new webhook's record. */
export type NewHook = Pick<
  HookRecord,
  "id" | "url" | "name" | "events" | "secret" | "createdAt" | "nextCheckAt"
>;

/** What a look for events leaves. */
export type HookProgress = Pick<HookRecord, "nextCheckAt" | "digestedTo" | "lastNotified">;

/** Creates a webhook. */
export async function addHook({ database }: ControlEngine, accountId: string, hook: NewHook) {
  const { events, createdAt, nextCheckAt, ...made } = hook;
  const row = {
    ...made,
    account_id: accountId,
    events: hookEvents.filter((event) => events.includes(event)).join(" "),
    created_at: createdAt,
    disabled_at: null,
    look_at: nextCheckAt,
    digested_to: null,
    told: "{}",
  };
  await database.insertInto("hooks").values(row).execute();
  return toRecord(row);
}

/** An account's webhooks, oldest first, and of equal times by id. */
export async function hooksOf({ database }: ControlEngine, accountId: string) {
  const all = database.selectFrom("hooks").selectAll().where("account_id", "=", accountId);
  return (await all.orderBy("created_at").orderBy("id").execute()).map(toRecord);
}

/** A webhook; null: the account has none of this id. */
export async function hookById({ database }: ControlEngine, accountId: string, hookId: string) {
  const row = await database
    .selectFrom("hooks")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", hookId)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** Deletes a webhook and its deliveries. @returns what it was; null: the account has none such. */
export async function deleteHook({ database }: ControlEngine, accountId: string, hookId: string) {
  const deleted = await database
    .deleteFrom("hooks")
    .where("account_id", "=", accountId)
    .where("id", "=", hookId)
    .returningAll()
    .executeTakeFirst();
  return deleted === undefined ? null : toRecord(deleted);
}

/** Ends a webhook's deliveries, at `now`. Repeating it keeps the first time. */
export async function disableHook(
  { database }: ControlEngine,
  accountId: string,
  hookId: string,
  now: number,
): Promise<void> {
  await updateOf(database, accountId, hookId)
    .set({ disabled_at: now })
    .where("disabled_at", "is", null)
    .execute();
}

/** Enables a disabled webhook, whose events are looked for from `nextCheckAt` on. */
export async function enableHook(
  { database }: ControlEngine,
  accountId: string,
  hookId: string,
  nextCheckAt: number,
): Promise<void> {
  await updateOf(database, accountId, hookId)
    .set({ disabled_at: null, look_at: nextCheckAt })
    .where("disabled_at", "is not", null)
    .execute();
}

/** Active webhooks of any account whose events are to be looked for, the longest due first. */
export async function hooksDue({ database }: ControlEngine, now: number, hooksMax: number) {
  const rows = await database
    .selectFrom("hooks")
    .selectAll()
    .where("look_at", "<=", now)
    .where("disabled_at", "is", null)
    .orderBy("look_at")
    .orderBy("id")
    .limit(hooksMax)
    .execute();
  return rows.map(toRecord);
}

/** Claims the look for a webhook's events for this caller; null: another caller has it. */
export async function claimCheck(control: ControlEngine, hook: HookRecord, untilMs: number) {
  const { accountId, id, nextCheckAt: dueAt } = hook;
  const is = { account_id: accountId, id, disabled_at: null };
  const isOwn = await claimDue(control, { table: "hooks", is, dueAt }, untilMs);
  return isOwn ? { ...hook, nextCheckAt: untilMs } : null;
}

/** Notes what a look found that the caller has claimed. @returns false: the claim was lost. */
export function recordCheck(
  control: ControlEngine,
  { accountId, id, nextCheckAt: dueAt }: HookRecord,
  { nextCheckAt, digestedTo, lastNotified }: HookProgress,
): Promise<boolean> {
  const row = { table: "hooks", is: { account_id: accountId, id }, dueAt } as const;
  return claimDue(control, row, nextCheckAt, {
    digested_to: digestedTo,
    told: JSON.stringify(lastNotified),
  });
}

function updateOf(database: ControlDatabase, accountId: string, hookId: string) {
  return database.updateTable("hooks").where("account_id", "=", accountId).where("id", "=", hookId);
}

function toRecord(row: Selectable<ControlTables["hooks"]>): HookRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    name: row.name,
    events: hookEvents.filter((event) => row.events.split(" ").includes(event)),
    secret: row.secret,
    createdAt: row.created_at,
    disabledAt: row.disabled_at,
    nextCheckAt: row.look_at,
    digestedTo: row.digested_to,
    lastNotified: JSON.parse(row.told) as LastNotified,
  };
}
