import { type Scope, scopes } from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import { keyRowHash } from "../control/row-hashes.ts";
import type { ControlTables } from "../control/schema.ts";
import { ServiceError } from "../platform/service-error.ts";
import { requireActor, requireMember } from "./require-actor.ts";

/** A limit of a key: a number of calls, or off. */
export type Limit = number | "off";

/** A stored static key: its hash, never the key itself. Times in milliseconds since 1970, UTC. */
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
  /** Null: never used. Precise to a minute, to save writes. */
  readonly lastUsedAt: number | null;
  /** Calls per second; null: the service's default. */
  readonly ratePerSecond: Limit | null;
  /** Calls per UTC day; null: the service's default. */
  readonly dailyQuota: Limit | null;
  /** In the contract's order; at least one. */
  readonly scopes: readonly Scope[];
  /** The person whose key it is; null: nobody's. */
  readonly personId: string | null;
}

/** The fields of a new key. */
export interface NewKey {
  readonly id: string;
  readonly name: string;
  readonly hash: Buffer;
  readonly expiresAt: number | null;
  readonly ratePerSecond: Limit | null;
  readonly dailyQuota: Limit | null;
  readonly scopes: readonly Scope[];
  /** The person whose key it is; null or omitted: nobody's. */
  readonly personId?: string | null;
  /** The most valid keys that the account may have with it; omitted: any number. */
  readonly validMax?: number | undefined;
}

const touchIntervalMs = 60_000;

/** A key of any account by its id, which identifies a caller's account; null: there is none. */
export async function keyById(
  { database }: ControlEngine,
  keyId: string,
): Promise<KeyRecord | null> {
  const row = await database
    .selectFrom("keys")
    .selectAll()
    .where("id", "=", keyId)
    .executeTakeFirst();
  return row === undefined ? null : toRecord(row);
}

/** An account's latest `keysMax` keys, oldest first. */
export async function latestKeysOf(
  { database }: ControlEngine,
  accountId: string,
  keysMax: number,
): Promise<readonly KeyRecord[]> {
  const rows = await database
    .selectFrom("keys")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(keysMax)
    .execute();
  return rows.map(toRecord).reverse();
}

/** The names of the people who have keys of an account, by their ids. */
export async function personNames(
  { database }: ControlEngine,
  accountId: string,
): Promise<ReadonlyMap<string, string>> {
  const rows = await database
    .selectFrom("keys")
    .innerJoin("people", "people.id", "keys.person_id")
    .select(["people.id", "people.name"])
    .distinct()
    .where("keys.account_id", "=", accountId)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The number of an account's keys that are neither revoked nor expired at `now`. */
export async function countValidKeys(
  { database }: ControlEngine,
  accountId: string,
  now: number,
): Promise<number> {
  const row = await database
    .selectFrom("keys")
    .select((row) => row.fn.countAll().as("valid"))
    .where("account_id", "=", accountId)
    .where("revoked_at", "is", null)
    .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now)]))
    .executeTakeFirst();
  return Number(row?.valid ?? 0);
}

/** The keys of one account, or of all accounts when null; oldest first. */
export async function keysOf(
  { database }: ControlEngine,
  accountId: string | null,
): Promise<readonly KeyRecord[]> {
  const all = database.selectFrom("keys").selectAll().orderBy("created_at").orderBy("id");
  const some = accountId === null ? all : all.where("account_id", "=", accountId);
  return (await some.execute()).map(toRecord);
}

/**
 * Inserts a key. @returns its record.
 * @throws ServiceError session_invalid when its person or the actor may make none any more;
 * invalid_request when the account has as many valid keys as it may.
 */
export async function createKey(
  engine: ControlEngine,
  accountId: string,
  newKey: NewKey,
  now: number,
): Promise<KeyRecord> {
  const unused = { createdAt: now, revokedAt: null, lastUsedAt: null };
  const { personId = null, validMax, ...made } = newKey;
  const row = keyRow({ ...made, personId, accountId, ...unused });
  const change = {
    action: "key.created",
    subject: row.id,
    before: null,
    after: shown(row),
  } as const;
  const write = async (within: ControlEngine) => {
    const { database } = within;
    const right = { accountId, scopes: newKey.scopes, now };
    // One who is removed meanwhile leaves no key behind.
    if (personId === null) await requireActor(within, right);
    else await requireMember(within, personId, right);
    // Under the account's lock, which both take: nobody counts meanwhile.
    const valid = validMax === undefined ? 0 : await countValidKeys(within, accountId, now);
    if (validMax !== undefined && valid >= validMax) throw tooMany(valid);
    await database.insertInto("keys").values(row).execute();
    return [toRecord(row), change] as const;
  };
  return writeVersioned(engine, () => audited(engine, accountId, now, write));
}

function tooMany(valid: number): ServiceError {
  const message = `The account has ${valid} valid keys, as many as it may have. Revoke one first.`;
  const errors = [{ path: "", code: "too_large", message }] as const;
  return new ServiceError("invalid_request", `/: ${message}`, { errors });
}

/** Revokes a key. Repeating it keeps the first time. @returns its record; null: there is none. */
export async function revokeKey(
  engine: ControlEngine,
  keyId: string,
  now: number,
): Promise<KeyRecord | null> {
  const key = await keyById(engine, keyId);
  if (key === null) return null;
  const write = async ({ database, lock }: ControlEngine) => {
    // Before the row, as who revokes several at a time has it.
    await lock(database, { auditOf: key.accountId });
    const row = await database
      .updateTable("keys")
      .set({ revoked_at: now })
      .where("id", "=", keyId)
      .where("revoked_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    const before = row === undefined ? null : shown(row);
    const change = { action: "key.revoked", subject: keyId, before, after: null } as const;
    return [null, before === null ? null : change] as const;
  };
  await writeVersioned(engine, () => audited(engine, key.accountId, now, write));
  return keyById(engine, keyId);
}

/** Updates the time of a key's last use, at most once a minute. */
export async function touchKey(
  { database }: ControlEngine,
  keyId: string,
  now: number,
): Promise<void> {
  await database
    .updateTable("keys")
    .set({ last_used_at: now })
    .where("id", "=", keyId)
    .where((row) =>
      row.or([row("last_used_at", "is", null), row("last_used_at", "<", now - touchIntervalMs)]),
    )
    .execute();
}

/** What the audit log shows of a key: neither the key nor its hash. */
function shown({
  name,
  scopes,
  expires_at,
  rate_limit,
  daily_quota,
}: Selectable<ControlTables["keys"]>) {
  const expiresAt = expires_at === null ? null : new Date(expires_at).toISOString();
  return { name, scopes, expiresAt, rate: rate_limit, quota: daily_quota };
}

/** The row of a key, with its hash. */
export function keyRow(key: KeyRecord) {
  const made = {
    id: key.id,
    account_id: key.accountId,
    name: key.name,
    hash: key.hash,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    rate_limit: limitText(key.ratePerSecond),
    daily_quota: limitText(key.dailyQuota),
    scopes: scopes.filter((scope) => key.scopes.includes(scope)).join(" "),
    person_id: key.personId,
  };
  return {
    ...made,
    row_hash: keyRowHash(made),
    revoked_at: key.revokedAt,
    last_used_at: key.lastUsedAt,
  };
}

function limitText(limit: Limit | null): string | null {
  return limit === null ? null : String(limit);
}

function limitOf(text: string | null): Limit | null {
  return text === null || text === "off" ? text : Number(text);
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
    ratePerSecond: limitOf(row.rate_limit),
    dailyQuota: limitOf(row.daily_quota),
    scopes: scopes.filter((scope) => row.scopes.split(" ").includes(scope)),
    personId: row.person_id,
  };
}
