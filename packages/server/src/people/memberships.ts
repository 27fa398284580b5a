import { type FieldError, peopleMax, type Role, scopesOfRole } from "@sightline/contract";
import { type AuditedChange, audited } from "../audit/audit-log.ts";
import { type ControlEngine, writeVersioned } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import { revokeKey } from "../keys/key-store.ts";
import { type RequiredRight, requireActor } from "../keys/require-actor.ts";
import { ServiceError } from "../platform/service-error.ts";
import { endLinksOf } from "./ended-links.ts";
import { endCredentials, type Member, memberOf, type Person } from "./person-store.ts";

/** A person whose role was changed or who was removed. */
export interface ChangedMember {
  readonly member: Member;
  /** The ids of the person's keys in the account that were revoked with it. */
  readonly revokedKeys: readonly string[];
}

/**
 * Within a transaction that locked the person, if it was known before: a person belongs to an
 * account from now on. One who does already gets the role only if it may do more.
 * @throws ServiceError invalid_request when the account has as many people as it may.
 */
export async function join(
  { database, lock }: ControlEngine,
  accountId: string,
  { person, role, now }: { readonly person: Person; readonly role: Role; readonly now: number },
): Promise<AuditedChange> {
  await lock(database, { account: accountId });
  const before = await memberOf({ database }, accountId, person.id);
  const action = before === null ? "person.joined" : "person.changed";
  const isMore = before !== null && doesMore(role, before.role);
  const given = before === null || isMore ? role : before.role;
  if (before === null) {
    await refuseMany(database, accountId);
    await database
      .insertInto("memberships")
      .values({ account_id: accountId, person_id: person.id, role, joined_at: now, seen_at: null })
      .execute();
  } else await setRole(database, before, given);
  return {
    action,
    subject: person.id,
    before: before === null ? null : shown(before),
    after: shown({ ...person, role: given }),
  };
}

/**
 * Gives a person of an account another role. Keys of the person that may do more are revoked, and
 * share links of one who may make none any more.
 * @returns null: no such person belongs to the account.
 * @throws ServiceError invalid_request; session_invalid when the actor may not do it any more.
 */
export function changeRole(
  engine: ControlEngine,
  accountId: string,
  { personId, role, now }: { readonly personId: string; readonly role: Role; readonly now: number },
): Promise<ChangedMember | null> {
  const asked = { personId, scopes: scopesOfRole[role], now };
  return changed(engine, accountId, asked, async (within, before) => {
    if (before.role === role) return [{ member: before, revokedKeys: [] }, null];
    if (before.role === "owner") await refuseLastOwner(within.database, before);
    await setRole(within.database, before, role);
    const member = { ...before, role };
    const revokedKeys = await revokeKeysOf(within, before, { role, now });
    const mayShare = scopesOfRole[role].includes("manage");
    const revokedLinks = mayShare ? 0 : await endLinksOf(within, { accountId, personId, now });
    const change = { action: "person.changed", subject: personId } as const;
    const after = { ...shown(member), revokedKeys: revokedKeys.length, revokedLinks };
    return [
      { member, revokedKeys },
      { ...change, before: shown(before), after },
    ];
  });
}

/**
 * Ends that a person belongs to an account, and the person's keys and share links of it. The
 * service forgets somebody whom no account has.
 * @returns null: no such person belongs to the account.
 * @throws ServiceError invalid_request; session_invalid when the actor may not do it any more.
 */
export function removePerson(
  engine: ControlEngine,
  accountId: string,
  { personId, now }: { readonly personId: string; readonly now: number },
): Promise<ChangedMember | null> {
  return changed(engine, accountId, { personId, scopes: [], now }, async (within, member) => {
    if (member.role === "owner") await refuseLastOwner(within.database, member);
    await within.database
      .deleteFrom("memberships")
      .where("account_id", "=", accountId)
      .where("person_id", "=", personId)
      .execute();
    await within.database
      .deleteFrom("invitations")
      .where("account_id", "=", accountId)
      .where("email", "=", member.email)
      .execute();
    const revokedKeys = await revokeKeysOf(within, member, { role: null, now });
    const revokedLinks = await endLinksOf(within, { accountId, personId, now });
    await forgetStrangers(within.database, [personId]);
    const before = { ...shown(member), revokedKeys: revokedKeys.length, revokedLinks };
    const change = { action: "person.removed", subject: personId, before, after: null } as const;
    return [{ member, revokedKeys }, change];
  });
}

/** Forgets those of some people whom no account has any more. Each of them is locked. */
export async function forgetStrangers(
  database: ControlDatabase,
  personIds: readonly string[],
): Promise<void> {
  for (const personId of personIds) {
    const memberships = database.selectFrom("memberships").select("account_id");
    const left = await memberships.where("person_id", "=", personId).limit(1).executeTakeFirst();
    if (left !== undefined) continue;
    await endCredentials(database, personId);
    await database.deleteFrom("people").where("id", "=", personId).execute();
  }
}

type Write = (
  within: ControlEngine,
  before: Member,
) => Promise<readonly [ChangedMember, AuditedChange | null]>;

/** @param asked with the scopes that the change gives, which its actor must have. */
function changed(
  engine: ControlEngine,
  accountId: string,
  { personId, ...asked }: Pick<RequiredRight, "scopes" | "now"> & { readonly personId: string },
  write: Write,
): Promise<ChangedMember | null> {
  return writeVersioned(engine, () =>
    audited(engine, accountId, asked.now, async (within) => {
      const scopes = ["people" as const, ...asked.scopes];
      await requireActor(within, { ...asked, accountId, scopes, people: [personId] });
      const before = await memberOf(within, accountId, personId);
      return before === null ? [null, null] : write(within, before);
    }),
  );
}

async function setRole(
  database: ControlDatabase,
  { accountId, id }: Pick<Member, "accountId" | "id">,
  role: Role,
): Promise<void> {
  await database
    .updateTable("memberships")
    .set({ role })
    .where("account_id", "=", accountId)
    .where("person_id", "=", id)
    .execute();
}

/** Revokes a person's keys that may do more than a role; null: all of them. */
async function revokeKeysOf(
  within: ControlEngine,
  { accountId, id }: Pick<Member, "accountId" | "id">,
  { role, now }: { readonly role: Role | null; readonly now: number },
): Promise<readonly string[]> {
  const keys = await within.database
    .selectFrom("keys")
    .select(["id", "scopes"])
    .where("account_id", "=", accountId)
    .where("person_id", "=", id)
    .where("revoked_at", "is", null)
    .orderBy("created_at")
    .execute();
  const held: readonly string[] = role === null ? [] : scopesOfRole[role];
  const revoked = keys.filter(
    ({ scopes }) => role === null || scopes.split(" ").some((scope) => !held.includes(scope)),
  );
  for (const key of revoked) await revokeKey(within, key.id, now);
  return revoked.map((key) => key.id);
}

function doesMore(role: Role, than: Role): boolean {
  return scopesOfRole[role].length > scopesOfRole[than].length;
}

/** What the audit log shows of a person in an account. */
function shown({ email, name, role }: Pick<Member, "email" | "name" | "role">) {
  return { name, email, role };
}

async function refuseLastOwner(
  database: ControlDatabase,
  { accountId, id }: Pick<Member, "accountId" | "id">,
): Promise<void> {
  const others = await database
    .selectFrom("memberships")
    .select("role")
    .where("account_id", "=", accountId)
    .where("person_id", "!=", id)
    .execute();
  if (others.length === 0 || others.some(({ role }) => role === "owner")) return;
  throw refused("The account's last owner stays one. Make somebody else an owner first.");
}

async function refuseMany(database: ControlDatabase, accountId: string): Promise<void> {
  const row = await database
    .selectFrom("memberships")
    .select((each) => each.fn.countAll().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (Number(row?.count ?? 0) < peopleMax) return;
  throw refused(`The account has ${peopleMax} people, as many as it may have.`);
}

/** The refusal of a change for what the account is. */
export function refused(message: string): ServiceError {
  const errors: readonly FieldError[] = [{ path: "", code: "not_allowed", message }];
  return new ServiceError("invalid_request", message, { errors });
}
