import type { ControlEngine } from "../control/control-engine.ts";
import { hashOfSecret, newSecret } from "../platform/secrets.ts";

/** Time in which a message arrives and is opened. */
const signInLinkMs = 30 * 60_000;

/** A code that signs a person in once; visible only now. Valid for 30 minutes. */
export async function createSignInLink(
  { database }: Pick<ControlEngine, "database">,
  personId: string,
  now: number,
): Promise<string> {
  const code = newSecret();
  await database.deleteFrom("person_links").where("expires_at", "<=", now).execute();
  await database
    .insertInto("person_links")
    .values({ hash: hashOfSecret(code), person_id: personId, expires_at: now + signInLinkMs })
    .execute();
  return code;
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

/** Uses a code up. @returns the id of its person; null: the code is unknown, expired or used. */
export async function takeSignInLink(
  { database }: Pick<ControlEngine, "database">,
  code: string,
  now: number,
): Promise<string | null> {
  const row = await database
    .deleteFrom("person_links")
    .where("hash", "=", hashOfSecret(code))
    .where("expires_at", ">", now)
    .returning("person_id")
    .executeTakeFirst();
  return row?.person_id ?? null;
}
