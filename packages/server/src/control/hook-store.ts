import { type HookEvent, hookEvents, type SummaryMetricName } from "@sightline/contract";
import type { Selectable } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { ControlDatabase } from "./database.ts";
import type { ControlTables } from "./schema.ts";

/** What was told last of each metric that moved. */
export type ToldMoves = {
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
  readonly lookAt: number;
  /** The end of the week of its last digest; null: there was none. */
  readonly digestedTo: number | null;
  readonly told: ToldMoves;
}

/** The parts of a new webhook's record. */
export type NewHook = Pick<HookRecord, "id" | "url" | "name" | "events" | "secret" | "lookAt">;

/** What a look for events leaves. */
export type HookProgress = Pick<HookRecord, "lookAt" | "digestedTo" | "told">;

/** The webhooks of accounts. The account comes first. */
export interface HookStore {
  readonly createHook: (accountId: string, hook: NewHook) => Promise<HookRecord>;
  /** Oldest first, and of equal times by id. */
  readonly hooks: (accountId: string) => Promise<readonly HookRecord[]>;
  /** Null: the account has no such webhook. */
  readonly hook: (accountId: string, hookId: string) => Promise<HookRecord | null>;
  /** Also deletes its deliveries. @returns what it was; null: the account has no such webhook. */
  readonly deleteHook: (accountId: string, hookId: string) => Promise<HookRecord | null>;
  /** Ends its deliveries. Repeating it keeps the first time. */
  readonly disableHook: (accountId: string, hookId: string) => Promise<void>;
  /** Looks for its events begin anew, at `lookAt`. */
  readonly enableHook: (accountId: string, hookId: string, lookAt: number) => Promise<void>;
  /** Active webhooks of any account at whose events somebody is to look, the longest due first. */
  readonly hooksDue: (hooksMost: number) => Promise<readonly HookRecord[]>;
  /**
   * Has this caller alone look at its events, until `until`. @returns false when another one does.
   */
  readonly claimLook: (hook: HookRecord, until: number) => Promise<boolean>;
  readonly noteLook: (accountId: string, hookId: string, progress: HookProgress) => Promise<void>;
}

/** Webhooks in control. */
export function hookStore(database: ControlDatabase, clock: Clock): HookStore {
  return { ...managedHooks(database, clock), ...lookedAtHooks(database, clock) };
}

type Looks = Pick<HookStore, "hooksDue" | "claimLook" | "noteLook">;

function updateOf(database: ControlDatabase, accountId: string, hookId: string) {
  return database.updateTable("hooks").where("account_id", "=", accountId).where("id", "=", hookId);
}

function managedHooks(database: ControlDatabase, clock: Clock): Omit<HookStore, keyof Looks> {
  const hook = async (accountId: string, hookId: string): Promise<HookRecord | null> => {
    const row = await database
      .selectFrom("hooks")
      .selectAll()
      .where("account_id", "=", accountId)
      .where("id", "=", hookId)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  };
  return {
    hook,
    createHook: async (accountId, made) => {
      const { events, lookAt, ...rest } = made;
      const row = {
        ...rest,
        account_id: accountId,
        events: hookEvents.filter((event) => events.includes(event)).join(" "),
        created_at: clock.now(),
        disabled_at: null,
        look_at: lookAt,
        digested_to: null,
        told: "{}",
      };
      await database.insertInto("hooks").values(row).execute();
      return toRecord(row);
    },
    hooks: async (accountId) => {
      const all = database.selectFrom("hooks").selectAll().where("account_id", "=", accountId);
      return (await all.orderBy("created_at").orderBy("id").execute()).map(toRecord);
    },
    deleteHook: async (accountId, hookId) => {
      const found = await hook(accountId, hookId);
      if (found === null) return null;
      // Its deliveries go with it.
      await database.deleteFrom("hooks").where("id", "=", hookId).execute();
      return found;
    },
    disableHook: async (accountId, hookId) => {
      await updateOf(database, accountId, hookId)
        .set({ disabled_at: clock.now() })
        .where("disabled_at", "is", null)
        .execute();
    },
    enableHook: async (accountId, hookId, lookAt) => {
      await updateOf(database, accountId, hookId)
        .set({ disabled_at: null, look_at: lookAt })
        .where("disabled_at", "is not", null)
        .execute();
    },
  };
}

function lookedAtHooks(database: ControlDatabase, clock: Clock): Looks {
  return {
    hooksDue: async (hooksMost) => {
      const rows = await database
        .selectFrom("hooks")
        .selectAll()
        .where("look_at", "<=", clock.now())
        .where("disabled_at", "is", null)
        .orderBy("look_at")
        .orderBy("id")
        .limit(hooksMost)
        .execute();
      return rows.map(toRecord);
    },
    claimLook: async ({ accountId, id, lookAt }, until) => {
      const { numUpdatedRows } = await updateOf(database, accountId, id)
        .set({ look_at: until })
        .where("look_at", "=", lookAt)
        .where("disabled_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    noteLook: async (accountId, hookId, { lookAt, digestedTo, told }) => {
      await updateOf(database, accountId, hookId)
        .set({ look_at: lookAt, digested_to: digestedTo, told: JSON.stringify(told) })
        .execute();
    },
  };
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
    lookAt: row.look_at,
    digestedTo: row.digested_to,
    told: JSON.parse(row.told) as ToldMoves,
  };
}
