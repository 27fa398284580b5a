import { deliveriesKeptDays, deliveriesMax, type ListedDelivery } from "@sightline/contract";
import type { Selectable } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { ControlDatabase } from "./database.ts";
import type { ControlTables } from "./schema.ts";

/** An attempt to deliver an event. */
export interface DeliveryAttempt {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  /** Of the reply; null: there was none. */
  readonly status: number | null;
  readonly durationMs: number;
  /** Null: it succeeded. */
  readonly error: string | null;
}

/** An event for a webhook, and how its delivery went. Times in milliseconds since 1970, UTC. */
export interface DeliveryRecord {
  /** As receivers know it. */
  readonly id: string;
  readonly accountId: string;
  readonly hookId: string;
  readonly event: ListedDelivery["event"];
  readonly createdAt: number;
  /** JSON as it is sent; null: there is no further attempt. */
  readonly body: string | null;
  readonly state: ListedDelivery["state"];
  /** Null: there is no further attempt. */
  readonly nextAt: number | null;
  /** Oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
}

/** An event that is to be delivered. */
export type NewDelivery = Pick<DeliveryRecord, "id" | "hookId" | "event"> & {
  readonly body: string;
  readonly nextAt: number;
};

/** How a delivery stands after an attempt. */
export type DeliveryOutcome = Pick<DeliveryRecord, "state" | "nextAt" | "attempts">;

/** The events of webhooks and their deliveries. The account comes first. */
export interface DeliveryStore {
  /** Notes an event; once, by its id. The oldest of too many that have ended are forgotten. */
  readonly addDelivery: (accountId: string, delivery: NewDelivery) => Promise<void>;
  /** Null: the account has no such delivery. */
  readonly delivery: (accountId: string, deliveryId: string) => Promise<DeliveryRecord | null>;
  /** Of a webhook, newest first, without their bodies. */
  readonly deliveries: (accountId: string, hookId: string) => Promise<readonly DeliveryRecord[]>;
  /** Those that are due, the longest due first, without those of the accounts named. */
  readonly deliveriesDue: (
    without: readonly string[],
    deliveriesMost: number,
  ) => Promise<readonly DeliveryRecord[]>;
  /** Has this caller alone send it, until `until`. @returns false when another one does. */
  readonly claimDelivery: (delivery: DeliveryRecord, until: number) => Promise<boolean>;
  /** Its body is forgotten when there is no further attempt. */
  readonly noteAttempt: (
    accountId: string,
    deliveryId: string,
    outcome: DeliveryOutcome,
  ) => Promise<void>;
  /** Forgets the deliveries that are too old to be listed. */
  readonly forgetDeliveries: () => Promise<void>;
}

/** Deliveries in control. */
export function deliveryStore(database: ControlDatabase, clock: Clock): DeliveryStore {
  return { ...loggedDeliveries(database, clock), ...dueDeliveries(database, clock) };
}

type Due = Pick<DeliveryStore, "deliveriesDue" | "claimDelivery" | "noteAttempt">;

function loggedDeliveries(database: ControlDatabase, clock: Clock): Omit<DeliveryStore, keyof Due> {
  const newestOf = (hookId: string) =>
    database
      .selectFrom("hook_deliveries")
      .where("hook_id", "=", hookId)
      .orderBy("created_at", "desc")
      .orderBy("id")
      .limit(deliveriesMax);
  return {
    addDelivery: async (accountId, { id, hookId, event, body, nextAt }) => {
      const entry = { id, account_id: accountId, hook_id: hookId, event, created_at: clock.now() };
      await database
        .insertInto("hook_deliveries")
        .values({ ...entry, body, state: "pending", next_at: nextAt, attempts: "[]" })
        .onConflict((conflict) => conflict.column("id").doNothing())
        .execute();
      await database
        .deleteFrom("hook_deliveries")
        .where("hook_id", "=", hookId)
        .where("next_at", "is", null)
        .where("id", "not in", newestOf(hookId).select("id"))
        .execute();
    },
    delivery: async (accountId, deliveryId) => {
      const row = await database
        .selectFrom("hook_deliveries")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", deliveryId)
        .executeTakeFirst();
      return row === undefined ? null : toRecord(row);
    },
    deliveries: async (accountId, hookId) => {
      const rows = await newestOf(hookId)
        .select(["id", "account_id", "hook_id", "event", "created_at"])
        .select(["state", "next_at", "attempts"])
        .where("account_id", "=", accountId)
        .where("created_at", ">", clock.now() - keptMs)
        .execute();
      return rows.map((row) => toRecord({ ...row, body: null }));
    },
    forgetDeliveries: async () => {
      await database
        .deleteFrom("hook_deliveries")
        .where("created_at", "<=", clock.now() - keptMs)
        .execute();
    },
  };
}

function dueDeliveries(database: ControlDatabase, clock: Clock): Due {
  return {
    deliveriesDue: async (without, deliveriesMost) => {
      const due = database
        .selectFrom("hook_deliveries")
        .selectAll()
        .where("next_at", "<=", clock.now())
        .orderBy("next_at")
        .orderBy("id")
        .limit(deliveriesMost);
      const others = without.length === 0 ? due : due.where("account_id", "not in", [...without]);
      return (await others.execute()).map(toRecord);
    },
    claimDelivery: async ({ accountId, id, nextAt }, until) => {
      const { numUpdatedRows } = await database
        .updateTable("hook_deliveries")
        .set({ next_at: until })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .where("next_at", "=", nextAt ?? 0)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    noteAttempt: async (accountId, deliveryId, { state, nextAt, attempts }) => {
      await database
        .updateTable("hook_deliveries")
        .set({ state, next_at: nextAt, attempts: JSON.stringify(attempts) })
        .$if(nextAt === null, (update) => update.set({ body: null }))
        .where("account_id", "=", accountId)
        .where("id", "=", deliveryId)
        .execute();
    },
  };
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
