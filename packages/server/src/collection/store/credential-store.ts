import type { Vendor } from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../../audit/audit-log.ts";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { CollectionTables } from "./collection-tables.ts";
import { hasDueJob } from "./job-rows.ts";

/** An account's credential of a vendor. Times in milliseconds since 1970, UTC. */
export interface StoredCredential {
  readonly accountId: string;
  readonly vendor: Vendor;
  /** Encrypted by a `SecretBox`; its owner is `credentialOwner`. */
  readonly sealed: Buffer;
  readonly storedAt: number;
  /** Whether the vendor is asked with it, `until` when and why it is not. */
  readonly state: "ready" | "waiting" | "stopped";
  readonly until: number | null;
  /** For people, without secrets. */
  readonly reason: string | null;
}

/** What a collector notes of a credential. */
export type CredentialState = Pick<StoredCredential, "state" | "until" | "reason">;

/** For whom a credential is encrypted: another account or vendor cannot open it. */
export function credentialOwner({ accountId, vendor }: CredentialKey): string {
  return `vendor credential ${accountId} ${vendor}`;
}

type CredentialKey = Pick<StoredCredential, "accountId" | "vendor">;

/**
 * Stores a credential in place of the account's one before. Questions that wait because the vendor
 * refused that one are due.
 */
export function saveCredential(
  control: ControlEngine,
  { accountId, vendor, sealed, storedAt }: Omit<StoredCredential, keyof CredentialState>,
): Promise<void> {
  const fresh = { sealed, stored_at: storedAt, state: "ready", until: null, reason: null } as const;
  return audited(control, accountId, storedAt, async ({ database, lock }) => {
    // Before the account's jobs: a deletion of the account takes them before the credential.
    await lock(database, { account: accountId });
    const before = await database
      .selectFrom("vendor_credentials")
      .select("vendor")
      .where("account_id", "=", accountId)
      .where("vendor", "=", vendor)
      .executeTakeFirst();
    await database
      .insertInto("vendor_credentials")
      .values({ account_id: accountId, vendor, ...fresh })
      .onConflict((conflict) => conflict.columns(["account_id", "vendor"]).doUpdateSet(fresh))
      .execute();
    await database
      .updateTable("jobs")
      .set({ due_at: storedAt })
      .where("account_id", "=", accountId)
      .where("vendor", "=", vendor)
      .where("state", "=", "queued")
      .where("due_at", ">", storedAt)
      .execute();
    const [was, is] = [before ?? null, { vendor }];
    return [undefined, { action: "credential.stored", subject: vendor, before: was, after: is }];
  });
}

/** Deletes a credential. @returns what it was; null: there was none. */
export function deleteCredential(
  control: ControlEngine,
  { accountId, vendor }: CredentialKey,
  now: number,
): Promise<StoredCredential | null> {
  return audited(control, accountId, now, async ({ database }) => {
    const row = await database
      .deleteFrom("vendor_credentials")
      .where("account_id", "=", accountId)
      .where("vendor", "=", vendor)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [null, null];
    const change = { subject: vendor, before: { vendor }, after: null };
    return [toCredential(row), { action: "credential.deleted", ...change }];
  });
}

/** An account's credentials, by vendor. */
export async function credentialsOf(
  { database }: ControlEngine,
  accountId: string,
): Promise<readonly StoredCredential[]> {
  const all = database.selectFrom("vendor_credentials").selectAll();
  const rows = await all.where("account_id", "=", accountId).orderBy("vendor").execute();
  return rows.map(toCredential);
}

/** Whether any account has a credential. */
export async function hasCredentials({ database }: ControlEngine): Promise<boolean> {
  const any = database.selectFrom("vendor_credentials").select("vendor").limit(1);
  return (await any.executeTakeFirst()) !== undefined;
}

/** Which credentials are looked for. */
interface CredentialsToFind {
  /** Vendors that are asked with a credential of the service. */
  readonly except: readonly Vendor[];
  readonly now: number;
  readonly credentialsMax: number;
}

/** Credentials with which a question is due to be asked, the least recently served first. */
export async function credentialsDue(
  { database }: ControlEngine,
  { except, now, credentialsMax }: CredentialsToFind,
): Promise<readonly StoredCredential[]> {
  const rows = await database
    .selectFrom("vendor_credentials as stored")
    .innerJoin("sweep_parts as part", (join) =>
      join
        .onRef("part.account_id", "=", "stored.account_id")
        .onRef("part.vendor", "=", "stored.vendor"),
    )
    .selectAll("stored")
    .select(({ fn }) => fn.min("part.turn").as("turn"))
    .where("part.published_at", "is", null)
    .where("part.planned", "=", 1)
    .where("part.deadline", ">", now)
    .$if(except.length > 0, (query) => query.where("stored.vendor", "not in", [...except]))
    .where(({ or, eb }) => or([eb("stored.until", "is", null), eb("stored.until", "<=", now)]))
    .where(hasDueJob(now))
    .groupBy(["stored.account_id", "stored.vendor"])
    .orderBy("turn")
    .orderBy("stored.account_id")
    .orderBy("stored.vendor")
    .limit(credentialsMax)
    .execute();
  return rows.map(toCredential);
}

/** Notes how a vendor took a credential, unless it was replaced meanwhile. */
export async function recordCredentialState(
  { database }: ControlEngine,
  { accountId, vendor, storedAt }: Pick<StoredCredential, "accountId" | "vendor" | "storedAt">,
  { state, until, reason }: CredentialState,
): Promise<void> {
  await database
    .updateTable("vendor_credentials")
    .set({ state, until, reason })
    .where("account_id", "=", accountId)
    .where("vendor", "=", vendor)
    .where("stored_at", "=", storedAt)
    .execute();
}

function toCredential(row: Selectable<CollectionTables["vendor_credentials"]>): StoredCredential {
  return {
    accountId: row.account_id,
    vendor: row.vendor,
    sealed: row.sealed,
    storedAt: row.stored_at,
    state: row.state,
    until: row.until,
    reason: row.reason,
  };
}
