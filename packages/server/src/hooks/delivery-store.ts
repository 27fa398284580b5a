import {
  dayMs,
  deliveriesKeptDays,
  deliveriesMax,
  type ListedDelivery,
  mailedPerDayMax,
} from "@sightline/contract";
import { type Selectable, sql } from "kysely";
import { claimDue } from "../control/claims.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";

/** One attempt of a delivery. */
interface DeliveryAttempt {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** The HTTP status; null: there was no reply. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Why it failed; null: it succeeded. */
  readonly error: string | null;
}

/** An event of a webhook and the state of its delivery. Times in milliseconds since 1970, UTC. */
export interface DeliveryRecord {
  /** The event's id, which receivers get. */
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly event: ListedDelivery["event"];
  readonly createdAt: number;
  /** JSON, sent as it is; null: there is no further attempt. */
  readonly body: string | null;
  readonly state: ListedDelivery["state"];
  /** When the next attempt is due; null: there is none. */
  readonly nextAt: number | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** An event to deliver. */
export type NewDelivery = Pick<DeliveryRecord, "id" | "hookId" | "event" | "createdAt"> & {
  readonly body: string;
  readonly nextAt: number;
};

/** The state of a delivery after an attempt. */
export type DeliveryOutcome = Pick<DeliveryRecord, "state" | "nextAt" | "attempts">;

/**
 * Queues an event. Idempotent by its id. The oldest ended deliveries above the webhook's maximum
 * are deleted.
 */
export async function addDelivery(
  { database }: ControlEngine,
  accountId: string,
  { id, hookId, event, createdAt, body, nextAt }: NewDelivery,
): Promise<void> {
  const entry = { id, account_id: accountId, hook_id: hookId, event, created_at: createdAt };
  await database
    .insertInto("hook_deliveries")
    .values({ ...entry, body, state: "pending", next_at: nextAt, attempts: "[]" })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await database
    .deleteFrom("hook_deliveries")
    .where("hook_id", "=", hookId)
    .where("next_at", "is", null)
    .where("id", "not in", newestOf(database, hookId).select("id"))
    .execute();
}

/** A delivery; null: the account has no delivery with this id. */
export async function deliveryById(
  { database }: ControlEngine,
  accountId: string,
  deliveryId: string,
): Promise<DeliveryRecord | null> {
  const row = await database
    .selectFrom("hook_deliveries")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", deliveryId)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** The deliveries of a webhook that are listed at `now`, newest first, without bodies. */
export async function deliveriesOf(
  { database }: ControlEngine,
  accountId: string,
  hookId: string,
  now: number,
): Promise<readonly DeliveryRecord[]> {
  const rows = await newestOf(database, hookId)
    .select(["id", "account_id", "hook_id", "event", "created_at"])
    .select(["state", "next_at", "attempts"])
    .where("account_id", "=", accountId)
    .where("created_at", ">", now - keptMs)
    .execute();
  return rows.map((row) => toRecord({ ...row, body: null }));
}

/**
 * The delivery that has been due the longest, skipping the accounts of `without`; null: none is
 * due.
 */
export async function deliveryDue(
  { database }: ControlEngine,
  without: readonly string[],
  now: number,
): Promise<DeliveryRecord | null> {
  const row = await database
    .selectFrom("hook_deliveries")
    .selectAll()
    .where("next_at", "<=", now)
    .$if(without.length > 0, (due) => due.where("account_id", "not in", [...without]))
    .orderBy("next_at")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** Claims a delivery for this caller until `untilMs`. @returns false: another caller has it. */
export function claimDelivery(
  control: ControlEngine,
  { accountId, id, nextAt }: DeliveryRecord,
  untilMs: number,
): Promise<boolean> {
  const is = { account_id: accountId, id };
  return claimDue(control, { table: "hook_deliveries", is, dueAt: nextAt ?? 0 }, untilMs);
}

/**
 * Records the outcome of an attempt, even after its claim expired: a delivered event is not sent
 * again. The body is deleted when there is no further attempt.
 */
export async function recordAttempt(
  { database }: ControlEngine,
  accountId: string,
  deliveryId: string,
  { state, nextAt, attempts }: DeliveryOutcome,
): Promise<void> {
  await database
    .updateTable("hook_deliveries")
    .set({ state, next_at: nextAt, attempts: JSON.stringify(attempts) })
    .$if(nextAt === null, (update) => update.set({ body: null }))
    .where("account_id", "=", accountId)
    .where("id", "=", deliveryId)
    .execute();
}

/** Deletes deliveries of all accounts that are too old to be listed at `now`. */
export async function forgetDeliveries({ database }: ControlEngine, now: number): Promise<void> {
  await database
    .deleteFrom("hook_deliveries")
    .where("created_at", "<=", now - keptMs)
    .execute();
}

/** Mailboxes that a mail goes to, and when. */
interface MailedAt {
  readonly mailboxes: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Counts a mail of an account's webhooks before it is sent, by its mailboxes. One statement: nodes
 * that send at the same time stay within the most of a UTC day.
 * @returns false: it would be too many on this day, and nothing was counted.
 */
export async function takeMails(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  { mailboxes, now }: MailedAt,
): Promise<boolean> {
  const counted = { day: dayOf(now), mailboxes };
  const sum = sql<number>`mail_counts.mailboxes + excluded.mailboxes`;
  const isNewDay = sql<boolean>`mail_counts.day < excluded.day`;
  const { numInsertedOrUpdatedRows = 0n } = await database
    .insertInto("mail_counts")
    .values({ account_id: accountId, ...counted })
    .onConflict((conflict) =>
      conflict
        .column("account_id")
        // A node whose clock is late counts on the day that another one began.
        .doUpdateSet({
          day: sql`case when ${isNewDay} then excluded.day else mail_counts.day end`,
          mailboxes: sql`case when ${isNewDay} then excluded.mailboxes else ${sum} end`,
        })
        .where(sql<boolean>`${isNewDay} or ${sum} <= ${sql.lit(mailedPerDayMax)}`),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

/** Counts no longer what the mail server did not take, unless its day has ended. */
export async function giveMailsBack(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  { mailboxes, now }: MailedAt,
): Promise<void> {
  await database
    .updateTable("mail_counts")
    .set((row) => ({ mailboxes: row("mailboxes", "-", mailboxes) }))
    .where("account_id", "=", accountId)
    .where("day", "=", dayOf(now))
    .execute();
}

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs);
}

function newestOf(database: ControlDatabase, hookId: string) {
  return database
    .selectFrom("hook_deliveries")
    .where("hook_id", "=", hookId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .limit(deliveriesMax);
}

const keptMs = deliveriesKeptDays * 86_400_000;

function toRecord(row: Selectable<ControlTables["hook_deliveries"]>): DeliveryRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    hookId: row.hook_id,
    event: row.event as DeliveryRecord["event"],
    createdAt: row.created_at,
    body: row.body,
    state: row.state as DeliveryRecord["state"],
    nextAt: row.next_at,
    attempts: JSON.parse(row.attempts) as readonly DeliveryAttempt[],
  };
}
