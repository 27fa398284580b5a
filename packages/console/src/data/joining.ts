import type { Role } from "@sightline/client";
import type { KnownAccount } from "./accounts.ts";
import type { SignedIn } from "./person.ts";
import { asked, sent } from "./session.ts";

/** An open invitation, as it is shown before somebody accepts it. */
export interface ShownInvitation {
  readonly account: KnownAccount;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly expiresAt: string;
  /** The service knows nobody by this address: a name is asked for. */
  readonly isNew: boolean;
}

/** In which ways people sign in here. */
export interface WaysIn {
  /** The name of the provider; null: none is set. */
  readonly provider: string | null;
  /** Whether a link comes by mail. */
  readonly mail: boolean;
}

/** The ways. @throws SessionError */
export function waysIn(): Promise<WaysIn> {
  return asked("/console/sign-in", {});
}

/** Has a link mailed to somebody who is known; the reply is the same for everybody. */
export async function mailLink(email: string): Promise<void> {
  await asked("/console/person/links", sent({ email }));
}

/** What an invitation says. @throws SessionError */
export function invitationOf(code: string): Promise<ShownInvitation> {
  return asked("/console/person/invitation", sent({ code }));
}

/** Accepts an invitation. @throws SessionError */
export function acceptInvitation(code: string, name: string | null): Promise<SignedIn> {
  const body = name === null ? { code } : { code, name };
  return asked("/console/person/invitation/accept", sent(body));
}

/** Signs in with a link that works once. @throws SessionError */
export function openPersonLink(code: string): Promise<SignedIn> {
  return asked("/console/person/sessions", sent({ code }));
}
