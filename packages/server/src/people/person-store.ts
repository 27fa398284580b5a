import { randomUUID } from "node:crypto";
import type { Role } from "@sightline/contract";
import type { Selectable } from "kysely";
import type { ControlEngine } from "../control/control-engine.ts";
import type { ControlDatabase } from "../control/database.ts";
import type { ControlTables } from "../control/schema.ts";

/** Somebody who signs in. Times in milliseconds since 1970, UTC. */
export interface Person {
  readonly id: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
  /** When it was first proved that the address is the person's; null: never. */
  readonly confirmedAt: number | null;
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

/** The person of an e-mail address, made within the transaction when there is none. */
export async function personFor(
  { database }: Pick<ControlEngine, "database">,
  { email, name }: Pick<Person, "email" | "name">,
  now: number,
): Promise<Person> {
  const made = { id: randomUUID(), email, name, created_at: now };
  await database
    .insertInto("people")
    .values({ ...made, confirmed_at: null, subject: null })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
  const person = await personByEmail({ database }, email);
  if (person === null) throw new Error("a person went while joining an account");
  return person;
}

/**
 * Notes that an address was proved to be its person's. The first time, all sessions and links that
 * were there end: somebody else may have joined under the address.
 */
export async function confirmPerson(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
  { now, subject }: { readonly now: number; readonly subject?: string },
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("people")
      .set({ confirmed_at: now })
      .where("id", "=", personId)
      .where("confirmed_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await endCredentials(transaction, personId);
    if (subject === undefined) return;
    await transaction.updateTable("people").set({ subject }).where("id", "=", personId).execute();
  });
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
  const { id, email, name, confirmed_at: confirmedAt } = row;
  return { id, email, name, confirmedAt };
}

function toMember(row: PersonRow & Selectable<ControlTables["memberships"]>): Member {
  return {
    id: row.person_id,
    email: row.email,
    name: row.name,
    confirmedAt: row.confirmed_at,
    accountId: row.account_id,
    role: row.role,
    joinedAt: row.joined_at,
    seenAt: row.seen_at,
  };
}
