import type { ControlEngine } from "../../control/control-engine.ts";

/** A stored session of a browser. Times in milliseconds since 1970, UTC. */
export interface ConsoleSessionRecord {
  /** SHA-256 of the browser's token, in base64. */
  readonly hash: string;
  readonly accountId: string;
  /** The API key that it signed in with. */
  readonly keyId: string;
  readonly startedAt: number;
  readonly expiresAt: number;
}

/** Inserts a session. Only the key's latest `sessionsMax` sessions stay. */
export async function addConsoleSession(
  { database }: ControlEngine,
  { hash, accountId, keyId, startedAt, expiresAt }: ConsoleSessionRecord,
  sessionsMax: number,
): Promise<void> {
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
}

/** A session of the account, even an expired one; null: there is none. */
export async function consoleSession(
  { database }: ControlEngine,
  accountId: string,
  hash: string,
): Promise<ConsoleSessionRecord | null> {
  const row = await database
    .selectFrom("console_sessions")
    .select(["hash", "account_id as accountId", "key_id as keyId"])
    .select(["started_at as startedAt", "expires_at as expiresAt"])
    .where("account_id", "=", accountId)
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

/** Sets a session's expiry; does nothing when the session was ended. */
export async function extendConsoleSession(
  { database }: ControlEngine,
  accountId: string,
  hash: string,
  expiresAt: number,
): Promise<void> {
  await database
    .updateTable("console_sessions")
    .set({ expires_at: expiresAt })
    .where("account_id", "=", accountId)
    .where("hash", "=", hash)
    .execute();
}

/** Deletes a session of the account if it exists. */
export async function endConsoleSession(
  { database }: ControlEngine,
  accountId: string,
  hash: string,
): Promise<void> {
  await database
    .deleteFrom("console_sessions")
    .where("account_id", "=", accountId)
    .where("hash", "=", hash)
    .execute();
}
