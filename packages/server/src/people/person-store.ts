import { randomUUID } from "node:crypto";
import type { Role } from "@sightline/contract";
import type { Selectable } from "kysely";
import {
  type ControlEngine,
  withinTransaction,
  writeVersioned,
} from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";
import { revokeKey } from "../keys/key-store.ts";
import { endLinksOf } from "./ended-links.ts";

/** Somebody who signs in. Times in milliseconds since 1970, UTC. */
export interface Person {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** When it was first proved that the address is the person's; null: never. */
  readonly confirmedAt: number | null;
  /** As the provider that signs people in names the person; null: it never did. */
  readonly subject: string | null;
}

/** A person in an account. */
export interface Member extends Person {
  readonly accountId: string;
  readonly role: Role;
  readonly joinedAt: number;
  /** To the hour; null: never. */
  readonly seenAt: number | null;
}

/** An account of a person. */
export interface PersonAccount {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
}

const seenIntervalMs = 3_600_000;

/** A person by id; null: there is none. */
export async function personById(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
): Promise<Person | null> {
  const people = database.selectFrom("people").selectAll();
  return toPerson(await people.where("id", "=", personId).executeTakeFirst());
}

/**
 * A person by id, within a transaction: nobody removes the person before its end. Null: there is
 * none, also when the person was removed a moment ago.
 */
export async function lockedPerson(
  { database, lock }: Pick<ControlEngine, "database" | "lock">,
  personId: string,
): Promise<Person | null> {
  await lock(database, { person: personId });
  return personById({ database }, personId);
}

/** A person by e-mail address, in lower case; null: there is none. */
export async function personByEmail(
  { database }: Pick<ControlEngine, "database">,
  email: string,
): Promise<Person | null> {
  const people = database.selectFrom("people").selectAll();
  return toPerson(await people.where("email", "=", email).executeTakeFirst());
}

/** The person whom the provider that signs people in names so; null: there is none. */
export async function personBySubject(
  { database }: Pick<ControlEngine, "database">,
  subject: string,
): Promise<Person | null> {
  const people = database.selectFrom("people").selectAll();
  return toPerson(await people.where("subject", "=", subject).executeTakeFirst());
}

/** Makes a person within a transaction. @returns null: somebody is known by the address. */
export async function newPerson(
  { database }: Pick<ControlEngine, "database">,
  { email, name }: Pick<Person, "email" | "name">,
  now: number,
): Promise<Person | null> {
  const row = await database
    .insertInto("people")
    .values({ id: randomUUID(), email, name, created_at: now, confirmed_at: null, subject: null })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returningAll()
    .executeTakeFirst();
  return toPerson(row);
}

/**
 * Notes that an address was proved to be its person's. The first time, all that was made under it
 * ends: sessions, sign-in links, keys, invitations and share links, since somebody else may have
 * taken the address.
 */
export async function confirmPerson(
  engine: ControlEngine,
  personId: string,
  { now, subject }: { readonly now: number; readonly subject?: string },
): Promise<void> {
  const confirm = async (within: ControlEngine) => {
    const { database } = within;
    await within.lock(database, { person: personId });
    if (subject !== undefined) {
      await database.updateTable("people").set({ subject }).where("id", "=", personId).execute();
    }
    const { numUpdatedRows } = await database
      .updateTable("people")
      .set({ confirmed_at: now })
      .where("id", "=", personId)
      .where("confirmed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await endAllOf(within, personId, now);
  };
  await writeVersioned(engine, () => withinTransaction(engine, confirm));
}

async function endAllOf(within: ControlEngine, personId: string, now: number): Promise<void> {
  const { database } = within;
  await endCredentials(database, personId);
  await database
    .deleteFrom("invitations")
    .where("maker_kind", "=", "person")
    .where("maker_id", "=", personId)
    .execute();
  const memberships = database.selectFrom("memberships").select("account_id as accountId");
  const own = memberships.where("person_id", "=", personId).orderBy("accountId");
  for (const { accountId } of await own.execute()) {
    const keys = await database
      .selectFrom("keys")
      .select("id")
      .where("account_id", "=", accountId)
      .where("person_id", "=", personId)
      .where("revoked_at", "is", null)
      .orderBy("created_at")
      .execute();
    for (const { id } of keys) await revokeKey(within, id, now);
    await endLinksOf(within, { accountId, personId, now });
  }
}

/** Gives a person the address that a provider vouches for, unless somebody else has it. */
export async function changeEmail(
  engine: ControlEngine,
  { id }: Pick<Person, "id">,
  email: string,
): Promise<boolean> {
  if ((await personByEmail(engine, email)) !== null) return false;
  await writeVersioned(engine, () =>
    engine.database.updateTable("people").set({ email }).where("id", "=", id).execute(),
  );
  return true;
}

/** A person in an account; null: the person does not belong to it. */
export async function memberOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  personId: string,
): Promise<Member | null> {
  const row = await members(database, accountId)
    .where("person_id", "=", personId)
    .executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

/** The people of an account, by e-mail address. */
export async function membersOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
): Promise<readonly Member[]> {
  return (await members(database, accountId).orderBy("email").execute()).map(toMember);
}

/** The accounts of a person, by name. */
export async function accountsOfPerson(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
): Promise<readonly PersonAccount[]> {
  return database
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.account_id")
    .select(["accounts.id", "accounts.name", "memberships.role"])
    .where("memberships.person_id", "=", personId)
    .orderBy("accounts.name")
    .orderBy("accounts.id")
    .execute();
}

/** Notes that a person asked, at most once an hour. */
export async function noteSeen(
  { database }: Pick<ControlEngine, "database">,
  { accountId, id }: Pick<Member, "accountId" | "id">,
  now: number,
): Promise<void> {
  await database
    .updateTable("memberships")
    .set({ seen_at: Math.floor(now / seenIntervalMs) * seenIntervalMs })
    .where("account_id", "=", accountId)
    .where("person_id", "=", id)
    .execute();
}

/** Whether a person was not noted as seen in this hour. */
export function isUnseen({ seenAt }: Pick<Member, "seenAt">, now: number): boolean {
  return seenAt === null || now - seenAt >= seenIntervalMs;
}

/** Ends a person's sessions and links. */
export async function endCredentials(database: ControlDatabase, personId: string): Promise<void> {
  for (const table of ["person_sessions", "person_links"] as const) {
    await database.deleteFrom(table).where("person_id", "=", personId).execute();
  }
}

function members(database: ControlDatabase, accountId: string) {
  return database
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .selectAll()
    .where("account_id", "=", accountId);
}

type PersonRow = Selectable<ControlTables["people"]>;

function toPerson(row: PersonRow | undefined): Person | null {
  if (row === undefined) return null;
  const { id, email, name, confirmed_at: confirmedAt, subject } = row;
  return { id, email, name, confirmedAt, subject };
}

function toMember(row: PersonRow & Selectable<ControlTables["memberships"]>): Member {
  return {
    id: row.person_id,
    email: row.email,
    name: row.name,
    confirmedAt: row.confirmed_at,
    subject: row.subject,
    accountId: row.account_id,
    role: row.role,
    joinedAt: row.joined_at,
    seenAt: row.seen_at,
  };
}
