import { randomUUID } from "node:crypto";
import { invitationsMax, type Role, type Scope, scopesOfRole } from "@sightline/contract";
import type { Selectable } from "kysely";
import { audited } from "../audit/audit-log.ts";
import {
  actingFor,
  type ControlEngine,
  withinTransaction,
  writeVersioned,
} from "../control/control-engine.ts";
import type { ControlTables } from "../control/schema.ts";
import { keyById } from "../keys/key-store.ts";
import { requireActor } from "../keys/require-actor.ts";
import type { Actor } from "../platform/actor.ts";
import { hashOfSecret, newSecret } from "../platform/secrets.ts";
import { ServiceError } from "../platform/service-error.ts";
import { join, refused } from "./memberships.ts";
import { lockedPerson, memberOf, newPerson, type Person, personByEmail } from "./person-store.ts";

/** An open invitation. Times in milliseconds since 1970, UTC. */
export interface Invitation {
  readonly id: string;
  readonly accountId: string;
  /** In lower case. */
  readonly email: string;
  readonly role: Role;
  /** The name of the one who invited. */
  readonly invitedBy: string;
  /** The person or key that invited; null: a command did. */
  readonly maker: InvitationMaker | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** What an invitation lives with: it is void once its maker may not give its role any more. */
interface InvitationMaker {
  readonly kind: "person" | "key";
  readonly id: string;
}

/** What an invitation says. */
export interface NewInvitation {
  readonly email: string;
  readonly role: Role;
  readonly expiresAt: number;
}

/**
 * Makes an invitation. @returns it with its code, which is visible only now.
 * @throws ServiceError session_invalid when the actor may make none any more.
 */
export function invite(
  engine: ControlEngine,
  accountId: string,
  { email, role, expiresAt }: NewInvitation,
  now: number,
): Promise<{ readonly invitation: Invitation; readonly code: string }> {
  const code = newSecret();
  const invitation: Invitation = {
    id: randomUUID(),
    accountId,
    email,
    role,
    expiresAt,
    invitedBy: engine.actor.name,
    maker: makerOf(engine.actor),
    createdAt: now,
  };
  return audited(engine, accountId, now, async (within) => {
    const { database } = within;
    const scopes = ["people" as const, ...scopesOfRole[role]];
    await requireActor(within, { accountId, scopes, now });
    await database.deleteFrom("invitations").where("expires_at", "<=", now).execute();
    const open = await invitationsOf({ database }, accountId, now);
    if (open.length >= invitationsMax) {
      throw refused(`The account has ${invitationsMax} open invitations. Withdraw one first.`);
    }
    await database
      .insertInto("invitations")
      .values({
        id: invitation.id,
        account_id: accountId,
        email,
        role,
        hash: hashOfSecret(code),
        invited_by: invitation.invitedBy,
        maker_kind: invitation.maker?.kind ?? null,
        maker_id: invitation.maker?.id ?? null,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute();
    const after = shown(invitation);
    const change = { action: "invitation.created", subject: invitation.id } as const;
    return [
      { invitation, code },
      { ...change, before: null, after },
    ];
  });
}

function makerOf({ kind, id }: Actor): InvitationMaker | null {
  return (kind === "person" || kind === "key") && id !== null ? { kind, id } : null;
}

/** The open invitations of an account, newest first. */
export async function invitationsOf(
  { database }: Pick<ControlEngine, "database">,
  accountId: string,
  now: number,
): Promise<readonly Invitation[]> {
  const rows = await database
    .selectFrom("invitations")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(toInvitation);
}

/**
 * Withdraws an invitation. @returns null: the account has no such open one.
 * @throws ServiceError session_invalid when the actor may withdraw none any more.
 */
export function withdrawInvitation(
  engine: ControlEngine,
  accountId: string,
  { invitationId, now }: { readonly invitationId: string; readonly now: number },
): Promise<Invitation | null> {
  return audited(engine, accountId, now, async (within) => {
    await requireActor(within, { accountId, scopes: ["people"], now });
    const row = await within.database
      .deleteFrom("invitations")
      .where("account_id", "=", accountId)
      .where("id", "=", invitationId)
      .where("expires_at", ">", now)
      .returningAll()
      .executeTakeFirst();
    if (row === undefined) return [null, null];
    const invitation = toInvitation(row);
    const change = { action: "invitation.withdrawn", subject: invitationId } as const;
    return [invitation, { ...change, before: shown(invitation), after: null }];
  });
}

/** The open invitation of a code; null: it is unknown, expired, withdrawn or accepted. */
export async function invitationOfCode(
  { database }: Pick<ControlEngine, "database">,
  code: string,
  now: number,
): Promise<Invitation | null> {
  const row = await database
    .selectFrom("invitations")
    .selectAll()
    .where("hash", "=", hashOfSecret(code))
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row === undefined ? null : toInvitation(row);
}

/** The open invitations of an address in all accounts. */
export async function invitationsFor(
  { database }: Pick<ControlEngine, "database">,
  email: string,
  now: number,
): Promise<readonly Invitation[]> {
  const rows = await database
    .selectFrom("invitations")
    .selectAll()
    .where("email", "=", email)
    .where("expires_at", ">", now)
    .orderBy("created_at")
    .execute();
  return rows.map(toInvitation);
}

/** The person who accepts an invitation. */
export interface Acceptance {
  readonly invitationId: string;
  /** The name of somebody who is new to the service. */
  readonly name: string;
  /** The person who is signed in, or proved the address otherwise; null: nobody. */
  readonly personId: string | null;
  readonly now: number;
  readonly requestId: string | null;
}

/**
 * Uses an invitation up: its person belongs to the account from now on.
 * @returns null: it was accepted, withdrawn or has expired meanwhile.
 * @throws ServiceError session_required when the address is that of somebody else than who is
 * signed in, since an invitation does not prove whose the address is, or the person was removed
 * meanwhile.
 */
export function acceptInvitation(
  engine: ControlEngine,
  { accountId, email, role, maker }: Pick<Invitation, "accountId" | "email" | "role" | "maker">,
  { invitationId, name, personId, now, requestId }: Acceptance,
): Promise<Person | null> {
  return writeVersioned(engine, () =>
    withinTransaction(engine, async (within) => {
      await within.lock(within.database, { account: accountId });
      const known = await personByEmail(within, email);
      // Before the invitation, as the proof of an address does. Another account may remove the
      // person just now.
      const isLeft = known !== null && (await lockedPerson(within, known.id)) === null;
      const { numDeletedRows } = await within.database
        .deleteFrom("invitations")
        .where("id", "=", invitationId)
        .where("expires_at", ">", now)
        .executeTakeFirst();
      if (numDeletedRows === 0n) return null;
      if (!(await mayStillGive(within, accountId, { role, maker, now }))) return null;
      if (known !== null && known.id !== personId) throw signInFirst(email);
      if (isLeft) throw openAgain(email);
      const person = known ?? (await newPerson(within, { email, name }, now));
      if (person === null) throw signInFirst(email);
      const actor = { kind: "person", id: person.id, name: person.name, requestId } as const;
      return audited(actingFor(within, actor), accountId, now, async (acting) => [
        person,
        await join(acting, accountId, { person, role, now }),
      ]);
    }),
  );
}

/** Whether the maker of an invitation could make it now. */
async function mayStillGive(
  within: ControlEngine,
  accountId: string,
  { role, maker, now }: Pick<Invitation, "role" | "maker"> & { readonly now: number },
): Promise<boolean> {
  if (maker === null) return true;
  const held = await scopesHeld(within, accountId, { ...maker, now });
  return ["people" as const, ...scopesOfRole[role]].every((scope) => held.includes(scope));
}

async function scopesHeld(
  within: ControlEngine,
  accountId: string,
  { kind, id, now }: InvitationMaker & { readonly now: number },
): Promise<readonly Scope[]> {
  if (kind === "person") {
    const member = await memberOf(within, accountId, id);
    return member === null ? [] : scopesOfRole[member.role];
  }
  const key = await keyById(within, id);
  if (key === null || key.accountId !== accountId || key.revokedAt !== null) return [];
  return key.expiresAt === null || now < key.expiresAt ? key.scopes : [];
}

function signInFirst(email: string): ServiceError {
  return notJoined(`${email} is known here. Sign in under this address, then open the link again.`);
}

function openAgain(email: string): ServiceError {
  return notJoined(`${email} was removed from all accounts meanwhile. Open the link again.`);
}

function notJoined(detail: string): ServiceError {
  return new ServiceError("session_required", detail, {
    headers: { "WWW-Authenticate": "Cookie" },
  });
}

function shown({ email, role, expiresAt }: Invitation) {
  return { email, role, expiresAt: new Date(expiresAt).toISOString() };
}

function toInvitation(row: Selectable<ControlTables["invitations"]>): Invitation {
  return {
    id: row.id,
    accountId: row.account_id,
    email: row.email,
    role: row.role,
    invitedBy: row.invited_by,
    maker:
      row.maker_kind === null || row.maker_id === null
        ? null
        : { kind: row.maker_kind, id: row.maker_id },
    createdAt: row.created_at,
    expiresAt: row.expires_at,
  };
}
