import { type ControlEngine, withinTransaction } from "../control/control-engine.ts";
import { hashOfSecret, newSecret } from "../platform/secrets.ts";
import { lockedPerson, type Person } from "./person-store.ts";

/** Time in which a message arrives and is opened. */
const signInLinkMs = 30 * 60_000;

/**
 * A code that signs a person in once; visible only now. Valid for 30 minutes.
 * @returns null: the person was removed meanwhile.
 */
export function createSignInLink(
  engine: ControlEngine,
  personId: string,
  now: number,
): Promise<string | null> {
  const code = newSecret();
  return withinTransaction(engine, async (within) => {
    if ((await lockedPerson(within, personId)) === null) return null;
    const { database } = within;
    const ofPerson = database.deleteFrom("person_links").where("person_id", "=", personId);
    await ofPerson.where("expires_at", "<=", now).execute();
    await database
      .insertInto("person_links")
      .values({ hash: hashOfSecret(code), person_id: personId, expires_at: now + signInLinkMs })
      .execute();
    return code;
  });
}

/** Nobody's mailbox gets more than one link in this time. */
const betweenLinksMs = 60_000;

/** Whether a link of a person was made within the last minute. */
export async function hasNewLink(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
  now: number,
): Promise<boolean> {
  const row = await database
    .selectFrom("person_links")
    .select("hash")
    .where("person_id", "=", personId)
    .where("expires_at", ">", now + signInLinkMs - betweenLinksMs)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Uses a code up, within the transaction that signs its person in: a failure leaves it as it was.
 * @returns its person; null: the code is unknown, expired or used.
 */
export async function takeSignInLink(
  within: ControlEngine,
  code: string,
  now: number,
): Promise<Person | null> {
  const { database } = within;
  const hash = hashOfSecret(code);
  const links = database.selectFrom("person_links").select("person_id");
  const link = await links.where("hash", "=", hash).executeTakeFirst();
  // The person before the link: who removes the person locks both in this order.
  const person = link === undefined ? null : await lockedPerson(within, link.person_id);
  const { numDeletedRows } = await database
    .deleteFrom("person_links")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return numDeletedRows === 0n ? null : person;
}
