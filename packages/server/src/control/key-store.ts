import type { Selectable } from "kysely";
import type { Clock } from "../platform/clock.ts";
import type { ControlDatabase } from "./database.ts";
import type { ControlTables } from "./schema.ts";

/** A static key as it is stored: never the key itself. Times in milliseconds since 1970, UTC. */
export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly createdAt: number;
  /** Null: never. */
  readonly expiresAt: number | null;
  /** Null: not revoked. */
  readonly revokedAt: number | null;
  /** Null: not yet. Kept to the minute, to spare writes. */
  readonly lastUsedAt: number | null;
}

/** What a new key's record is made of. */
export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly expiresAt: number | null;
}

const touchIntervalMs = 60_000;

/** Keys in control. */
export function keyStore(database: ControlDatabase, clock: Clock) {
  const key = async (keyId: string): Promise<KeyRecord | null> => {
    const row = await database
      .selectFrom("keys")
      .selectAll()
      .where("id", "=", keyId)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  };
  return {
    key,
    createKey: async (accountId: string, newKey: NewKey): Promise<KeyRecord> => {
      const row = newRow(accountId, newKey, clock);
      await database.insertInto("keys").values(row).execute();
      return toRecord(row);
    },
    keys: async (accountId: string | null): Promise<readonly KeyRecord[]> => {
      const all = database.selectFrom("keys").selectAll().orderBy("created_at").orderBy("id");
      const some = accountId === null ? all : all.where("account_id", "=", accountId);
      return (await some.execute()).map(toRecord);
    },
    revokeKey: async (keyId: string): Promise<KeyRecord | null> => {
      await database
        .updateTable("keys")
        .set({ revoked_at: clock.now() })
        .where("id", "=", keyId)
        .where("revoked_at", "is", null)
        .execute();
      return key(keyId);
    },
    touchKey: async (keyId: string): Promise<void> => {
      const now = clock.now();
      await database
        .updateTable("keys")
        .set({ last_used_at: now })
        .where("id", "=", keyId)
        .where((row) =>
          row.or([
            row("last_used_at", "is", null),
            row("last_used_at", "<", now - touchIntervalMs),
          ]),
        )
        .execute();
    },
  };
}

function newRow(accountId: string, { id, name, hash, expiresAt }: NewKey, clock: Clock) {
  return {
    id,
    account_id: accountId,
    name,
    hash,
    created_at: clock.now(),
    expires_at: expiresAt,
    revoked_at: null,
    last_used_at: null,
  };
}

function toRecord(row: Selectable<ControlTables["keys"]>): KeyRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    hash: row.hash,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
  };
}
