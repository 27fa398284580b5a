import {
  type HookEvent,
  type HookForm,
  hookEvents,
  hooksMax,
  isMailto,
  type ListedHookThreshold,
  type SummaryMetricName,
} from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import { claimDue } from "../control/claims.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import { requireActor } from "../keys/require-actor.ts";
import type { Actor } from "../platform/actor.ts";

/** Days on which a metric moved. */
interface MovedDays {
  readonly direction: "up" | "down";
  /** The end of the compared days, in milliseconds since 1970. */
  readonly to: number;
}

/** The last notification about each metric that moved, and what may be notified next. */
export type LastNotified = {
  readonly [Metric in SummaryMetricName]?: MovedDays;
} & {
  /** The daily looks in succession, until the last one, that found a metric moved one way. */
  readonly runs?: { readonly [Metric in SummaryMetricName]?: MovedDays & { looks: number } };
  /** The places in `thresholds` of those that are crossed, from 0. */
  readonly crossed?: readonly number[];
};

/** A stored webhook. Times in milliseconds since 1970, UTC. */
export interface HookRecord {
  readonly id: string;
  readonly accountId: string;
  /** https, http or mailto. */
  readonly url: string;
  /** `mail` for a mailto URL, and for no other. */
  readonly form: HookForm;
  readonly name: string;
  /** In the contract's order; at least one. */
  readonly events: readonly HookEvent[];
  readonly thresholds: readonly ListedHookThreshold[];
  /** Encrypted by a `SecretBox`, whose owner is the webhook's id. */
  readonly secret: Buffer;
  readonly createdAt: number;
  /** Null: created before this was noted. */
  readonly createdBy: Omit<Actor, "requestId"> | null;
  /** Null: active. */
  readonly disabledAt: number | null;
  /** When the webhook is checked next for events. */
  readonly nextCheckAt: number;
  /** The end of the week of its last digest; null: no digest was sent. */
  readonly digestedTo: number | null;
  readonly lastNotified: LastNotified;
}

/** The fields of a new webhook. */
export type NewHook = Pick<
  HookRecord,
  "id" | "url" | "form" | "name" | "events" | "thresholds" | "secret" | "createdAt" | "nextCheckAt"
>;

/** The fields that a check for events updates. */
export type HookProgress = Pick<HookRecord, "nextCheckAt" | "digestedTo" | "lastNotified">;

/**
 * Inserts a webhook of the engine's actor.
 * @returns its record; null: the account has as many as it may.
 * @throws ServiceError session_invalid when the actor may create none any more.
 */
export function addHook(
  control: ControlEngine,
  accountId: string,
  hook: NewHook,
): Promise<HookRecord | null> {
  const { events, thresholds, createdAt, nextCheckAt, ...made } = hook;
  const { requestId: _, ...createdBy } = control.actor;
  const row = {
    ...made,
    account_id: accountId,
    events: hookEvents.filter((event) => events.includes(event)).join(" "),
    thresholds: JSON.stringify(thresholds),
    created_at: createdAt,
    created_by: JSON.stringify(createdBy),
    disabled_at: null,
    look_at: nextCheckAt,
    digested_to: null,
    told: "{}",
  };
  return audited(control, accountId, createdAt, async (within) => {
    const { database } = within;
    // It locks the account: nobody counts meanwhile.
    await requireActor(within, { accountId, scopes: ["manage"], now: createdAt });
    if ((await countHooks(database, accountId)) >= hooksMax) return [null, null];
    await database.insertInto("hooks").values(row).execute();
    const after = shown(toRecord(row));
    return [toRecord(row), { action: "webhook.created", subject: row.id, before: null, after }];
  });
}

async function countHooks(database: ControlDatabase, accountId: string): Promise<number> {
  const row = await database
    .selectFrom("hooks")
    .select((each) => each.fn.countAll().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

/** An account's webhooks, by creation time, then id. */
export async function hooksOf({ database }: ControlEngine, accountId: string) {
  const all = database.selectFrom("hooks").selectAll().where("account_id", "=", accountId);
  return (await all.orderBy("created_at").orderBy("id").execute()).map(toRecord);
}

/** A webhook; null: the account has no webhook with this id. */
export async function hookById({ database }: ControlEngine, accountId: string, hookId: string) {
  const row = await database
    .selectFrom("hooks")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", hookId)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/**
 * Deletes a webhook and its deliveries.
 * @returns the deleted record; null: there was none.
 * @throws ServiceError session_invalid when the actor may delete none any more.
 */
export function deleteHook(
  control: ControlEngine,
  accountId: string,
  hookId: string,
  now: number,
): Promise<HookRecord | null> {
  return audited(control, accountId, now, async (within) => {
    const { database } = within;
    // A transaction that tells the webhooks of a report has read this one: it goes afterwards.
    await requireActor(within, { accountId, scopes: ["manage"], now });
    const row = await database
      .deleteFrom("hooks")
      .where("account_id", "=", accountId)
      .where("id", "=", hookId)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [null, null];
    const deleted = toRecord(row);
    const before = shown(deleted);
    return [deleted, { action: "webhook.deleted", subject: hookId, before, after: null }];
  });
}

/**
 * What the audit log shows of a webhook: never its secret, nor the path and the query of its URL,
 * which are the secret of many a receiver. Mailboxes are shown: who gets mails is what is asked.
 */
function shown({ url, form, name, events, thresholds }: HookRecord) {
  return { url: isMailto(url) ? url : new URL(url).origin, form, name, events, thresholds };
}

/** Disables a webhook at `now`, which stops its deliveries. Repeating it keeps the first time. */
export function disableHook(
  control: ControlEngine,
  accountId: string,
  hookId: string,
  now: number,
): Promise<void> {
  return audited(control, accountId, now, async ({ database }) => {
    const row = await updateOf(database, accountId, hookId)
      .set({ disabled_at: now })
      .where("disabled_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [undefined, null];
    const before = shown(toRecord(row));
    return [undefined, { action: "webhook.disabled", subject: hookId, before, after: null }];
  });
}

/**
 * Enables a disabled webhook at `now`. It is checked for events from `nextCheckAt` on.
 * @throws ServiceError session_invalid when the actor may enable none any more.
 */
export function enableHook(
  control: ControlEngine,
  accountId: string,
  hookId: string,
  { now, nextCheckAt }: { readonly now: number; readonly nextCheckAt: number },
): Promise<void> {
  return audited(control, accountId, now, async (within) => {
    const { database } = within;
    await requireActor(within, { accountId, scopes: ["manage"], now });
    const row = await updateOf(database, accountId, hookId)
      .set({ disabled_at: null, look_at: nextCheckAt })
      .where("disabled_at", "is not", null)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [undefined, null];
    const after = shown(toRecord(row));
    return [undefined, { action: "webhook.enabled", subject: hookId, before: null, after }];
  });
}

/** Active webhooks of all accounts whose check is due, the longest due first. */
export async function hooksDue({ database }: ControlEngine, now: number, dueMax: number) {
  const rows = await database
    .selectFrom("hooks")
    .selectAll()
    .where("look_at", "<=", now)
    .where("disabled_at", "is", null)
    .orderBy("look_at")
    .orderBy("id")
    .limit(dueMax)
    .execute();
  return rows.map(toRecord);
}

/**
 * Claims the check of a webhook for this caller until `untilMs`. @returns the record under the
 * claim; null: another caller has it.
 */
export async function claimCheck(control: ControlEngine, hook: HookRecord, untilMs: number) {
  const { accountId, id, nextCheckAt: dueAt } = hook;
  const is = { account_id: accountId, id, disabled_at: null };
  const isOwn = await claimDue(control, { table: "hooks", is, dueAt }, untilMs);
  return isOwn ? { ...hook, nextCheckAt: untilMs } : null;
}

/**
 * Records the result of a check that the caller has claimed. @returns false: the claim was lost,
 * and nothing was written.
 */
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
    form: (row.form as HookForm | null) ?? "json",
    name: row.name,
    events: hookEvents.filter((event) => row.events.split(" ").includes(event)),
    thresholds: JSON.parse(row.thresholds ?? "[]") as readonly ListedHookThreshold[],
    secret: row.secret,
    createdAt: row.created_at,
    createdBy: row.created_by === null ? null : (JSON.parse(row.created_by) as Actor),
    disabledAt: row.disabled_at,
    nextCheckAt: row.look_at,
    digestedTo: row.digested_to,
    lastNotified: JSON.parse(row.told) as LastNotified,
  };
}
