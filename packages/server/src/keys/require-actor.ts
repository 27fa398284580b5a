import { type Scope, scopesOfRole } from "@sightline/contract";
import type { ControlEngine } from "../control/control-engine.ts";
import { ServiceError } from "../platform/service-error.ts";

/** What the maker of a change must still be allowed to do. */
export interface RequiredRight {
  readonly accountId: string;
  readonly scopes: readonly Scope[];
  /** When the caller was let in, before it waited for a lock. */
  readonly now: number;
  /** Others whom the change needs locked. */
  readonly people?: readonly string[];
}

/**
 * Within a transaction, before anything else: locks an account for a change of the engine's actor.
 * A person who lost the right while the call waited changes nothing any more, nor does a key that
 * was revoked meanwhile.
 * @throws ServiceError session_invalid.
 */
export async function requireActor(within: ControlEngine, right: RequiredRight): Promise<void> {
  const { kind, id } = within.actor;
  if (kind === "person" && id !== null) return requireMember(within, id, right);
  await lockAll(within, right);
  if (kind === "key" && id !== null) await refuseRevoked(within, id);
}

/**
 * The same for a person. It also ends a call under way when the person's address was proved for the
 * first time: with its session, which may have been somebody else's.
 * @throws ServiceError session_invalid.
 */
export async function requireMember(
  within: ControlEngine,
  personId: string,
  { people = [], ...right }: RequiredRight,
): Promise<void> {
  const { accountId, scopes, now } = right;
  const before = await confirmedMember(within, accountId, personId);
  await lockAll(within, { ...right, people: [...people, personId] });
  const member = await confirmedMember(within, accountId, personId);
  const held: readonly Scope[] = member === null ? [] : scopesOfRole[member.role];
  if (!scopes.every((scope) => held.includes(scope))) {
    throw ended("The role of the person has changed meanwhile.");
  }
  const confirmedAt = member?.confirmedAt ?? null;
  if (confirmedAt === null) return;
  // The clocks of two nodes may differ, and a proof and a call may share a millisecond.
  if (before?.confirmedAt === null || confirmedAt > now) {
    throw ended("The person's address was proved for the first time meanwhile.");
  }
}

/** In the fixed order: the account, then people by their ids. */
async function lockAll(
  { database, lock }: ControlEngine,
  { accountId, people = [] }: Pick<RequiredRight, "accountId" | "people">,
): Promise<void> {
  await lock(database, { account: accountId });
  for (const person of people.toSorted()) await lock(database, { person });
}

async function confirmedMember({ database }: ControlEngine, accountId: string, personId: string) {
  const member = await database
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .select(["memberships.role", "people.confirmed_at as confirmedAt"])
    .where("account_id", "=", accountId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return member ?? null;
}

async function refuseRevoked({ database }: ControlEngine, keyId: string): Promise<void> {
  const key = await database
    .selectFrom("keys")
    .select("id")
    .where("id", "=", keyId)
    .where("revoked_at", "is not", null)
    .executeTakeFirst();
  if (key !== undefined) throw ended("The key was revoked meanwhile.");
}

function ended(detail: string): ServiceError {
  return new ServiceError("session_invalid", detail);
}
