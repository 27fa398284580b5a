import type { ControlDatabase } from "./database.ts";

/** A browser that is signed in. Times in milliseconds since 1970, UTC. */
export interface ConsoleSessionRecord {
  /** SHA-256 of what the browser has, in base64. */
  readonly hash: string;
  readonly accountId: string;
  /** The key that it signed in with. */
  readonly keyId: string;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** The console's sessions. The account comes first. */
export interface ConsoleSessionStore {
  /** Adds a session. Of its key the latest `sessionsMax` stay. */
  readonly addConsoleSession: (
    accountId: string,
    session: Omit<ConsoleSessionRecord, "accountId">,
    sessionsMax: number,
  ) => Promise<void>;
  /** A session of the account, also an expired one; null when there is none. */
  readonly consoleSession: (
    accountId: string,
    hash: string,
  ) => Promise<ConsoleSessionRecord | null>;
  /** Nothing happens to a session that was ended. */
  readonly extendConsoleSession: (
    accountId: string,
    hash: string,
    expiresAt: number,
  ) => Promise<void>;
  readonly endConsoleSession: (accountId: string, hash: string) => Promise<void>;
}

/** The console's sessions in control. */
export function consoleSessionStore(database: ControlDatabase): ConsoleSessionStore {
  return {
    addConsoleSession: async (accountId, session, sessionsMax) => {
      const { hash, keyId, startedAt, expiresAt } = session;
      const row = { hash, key_id: keyId, started_at: startedAt, expires_at: expiresAt };
      await database
        .insertInto("console_sessions")
        .values({ ...row, account_id: accountId })
        .execute();
      const latest = database
        .selectFrom("console_sessions")
        .select("hash")
        .where("key_id", "=", keyId)
        .where("expires_at", ">", startedAt)
        .orderBy("started_at", "desc")
        .orderBy("hash")
        .limit(sessionsMax);
      await database
        .deleteFrom("console_sessions")
        .where("key_id", "=", keyId)
        .where("hash", "not in", latest)
        .execute();
    },
    consoleSession: async (accountId, hash) =>
      (await database
        .selectFrom("console_sessions")
        .select(["hash", "account_id as accountId", "key_id as keyId"])
        .select(["started_at as startedAt", "expires_at as expiresAt"])
        .where("account_id", "=", accountId)
        .where("hash", "=", hash)
        .executeTakeFirst()) ?? null,
    extendConsoleSession: async (accountId, hash, expiresAt) => {
      await database
        .updateTable("console_sessions")
        .set({ expires_at: expiresAt })
        .where("account_id", "=", accountId)
        .where("hash", "=", hash)
        .execute();
    },
    endConsoleSession: async (accountId, hash) => {
      await database
        .deleteFrom("console_sessions")
        .where("account_id", "=", accountId)
        .where("hash", "=", hash)
        .execute();
    },
  };
}
