import { timingSafeEqual } from "node:crypto";
import { accountsMax } from "@sightline/contract";
import type { ControlEngine } from "../../control/control-engine.ts";
import type { KeyRing } from "../../keys/key-ring.ts";
import { ServiceError } from "../../platform/service-error.ts";

/** Time to send a link to the person who knows the brand. */
const linkMs = 60 * 60_000;

/** A link that allows the service's first account. Milliseconds since 1970, UTC. */
export interface FirstRunLink {
  readonly since: number;
  readonly expiresAt: number;
}

/**
 * The code of a new link. Nobody stores it: it says when it expires, with an authentication code
 * under the pepper, which all nodes share. So any node takes it, and no file and no backup has it.
 */
export function firstRunCode(keyRing: KeyRing, now: number): string {
  return written(keyRing, now + linkMs);
}

/** The link of a code; null: it was changed, is another's, or has expired. */
export function firstRunLink(keyRing: KeyRing, code: string, now: number): FirstRunLink | null {
  const [, digits = ""] = /^([\da-z]{1,10})\.[\w-]{43}$/.exec(code) ?? [];
  const expiresAt = Number.parseInt(digits, 36);
  if (!(now < expiresAt && expiresAt <= now + linkMs)) return null;
  const [given, own] = [Buffer.from(code), Buffer.from(written(keyRing, expiresAt))];
  if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
  return { since: expiresAt - linkMs, expiresAt };
}

function written(keyRing: KeyRing, expiresAt: number): string {
  const text = expiresAt.toString(36);
  return `${text}.${keyRing.codeOf(`first run ${text}`).toString("base64url")}`;
}

/** Whether the service has no account, in which case a link may allow the first. */
export async function isWithoutAccounts({ database }: ControlEngine): Promise<boolean> {
  const accounts = database.selectFrom("accounts").select("id").limit(1);
  return (await accounts.executeTakeFirst()) === undefined;
}

/**
 * Whether nobody has used a link: there is no account, and none was deleted since, which could be
 * the one that it allowed. Deletions are noted for longer than a link is valid.
 */
export async function isUnused(control: ControlEngine, { since }: FirstRunLink): Promise<boolean> {
  return !(await hasDeletion(control, since)) && (await isWithoutAccounts(control));
}

async function hasDeletion({ database }: ControlEngine, since: number): Promise<boolean> {
  const deletions = database.selectFrom("deletions").select("account_id").where("at", ">=", since);
  return (await deletions.limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Within the transaction that created an account: it is the first. Accounts are written under one
 * lock of all nodes, so of two concurrent ones the second finds the first.
 * @throws ServiceError key_invalid when there is another one.
 */
export async function requireFirst(
  within: ControlEngine,
  accountId: string,
  since: number,
): Promise<void> {
  const others = within.database.selectFrom("accounts").select("id").where("id", "!=", accountId);
  const other = await others.limit(1).executeTakeFirst();
  if (other !== undefined || (await hasDeletion(within, since))) throw linkRefused();
}

/**
 * Within the transaction that created an account: the service has no more than it may have.
 * @throws ServiceError invalid_request.
 */
export async function requireRoom({ database }: ControlEngine): Promise<void> {
  const rows = database.selectFrom("accounts").select((row) => row.fn.countAll().as("count"));
  const count = Number((await rows.executeTakeFirst())?.count ?? 0);
  if (count <= accountsMax) return;
  const message = `The service has ${accountsMax} accounts, as many as it may have.`;
  const errors = [{ path: "", code: "too_large", message }] as const;
  throw new ServiceError("invalid_request", message, { errors });
}

/** The refusal of a link that is not valid, for whatever reason. */
export function linkRefused(): ServiceError {
  return new ServiceError(
    "key_invalid",
    "The link was used, is older than an hour, or the service has an account by now. " +
      "`sightline keys link` prints another one while there is no account.",
    { headers: { "WWW-Authenticate": "Cookie" } },
  );
}
