import type { Role, Scope, WorkspaceFile } from "@sightline/client";
import type { KnownAccount } from "./accounts.ts";

/** A session of an account. Its secret is in a cookie that no script can read. */
export interface Session {
  readonly account: KnownAccount;
  readonly scopes: readonly Scope[];
  /** An instant, to the second. Null: a proxy says with each call who asks. */
  readonly expiresAt: string | null;
  /** Omitted: the browser signed in with a key. */
  readonly person?: PersonHere;
}

/** A person, with their role in the account of a session. */
interface PersonHere {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** The session of an account that was created, and its key, which is shown this once. */
export interface NewSession extends Session {
  readonly key: string;
}

/** The console's own header: a page of another origin cannot send it without being asked for. */
const consoleHeaders: Readonly<Record<string, string>> = { "Sightline-Console": "1" };

/** The service refused to give a session. `message` says why in its words. */
export class SessionError extends Error {
  override readonly name = "SessionError";
  /** Of the reply; 0: there was none. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Signs in with a key or a one-time code. @throws SessionError */
export function signIn(
  proof: { readonly key: string } | { readonly code: string },
): Promise<Session> {
  return asked("/console/sessions", sent(proof));
}

/** A body that is sent. */
export const sent = (body: object): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(body),
});

/** Whether the service has no account yet, so that no key signs in. @throws SessionError */
export async function isWithoutAccounts(): Promise<boolean> {
  return (await asked<{ readonly isEmpty: boolean }>("/console/first-run", {})).isEmpty;
}

/** Does nothing while a link may create the first account. @throws SessionError when it may not. */
export async function checkFirstRun(code: string): Promise<void> {
  await asked("/console/first-run", sent({ code }));
}

/** Creates the first account with a link, and signs in to it. @throws SessionError */
export function createFirstAccount(code: string, workspace: WorkspaceFile): Promise<NewSession> {
  return asked("/console/first-run/account", sent({ code, workspace }));
}

/** The account's session in this browser. @throws SessionError with 401 when there is none. */
export function currentSession(accountId: string, signal: AbortSignal): Promise<Session> {
  return asked(addressOfSession(accountId), { signal });
}

/** Makes the session last longer. @throws SessionError with 401 when it has ended. */
export function renewSession(accountId: string): Promise<Session> {
  return asked(addressOfSession(accountId), { method: "POST" });
}

/** Ends the session, in the service too. @throws SessionError */
export async function signOut(accountId: string): Promise<void> {
  await asked(addressOfSession(accountId), { method: "DELETE" });
}

const addressOfSession = (accountId: string): string =>
  `/console/accounts/${encodeURIComponent(accountId)}/session`;

/** Asks at an address of the console's own. @throws SessionError */
export async function asked<Reply = Session>(path: string, init: RequestInit): Promise<Reply> {
  const headers = { ...consoleHeaders, ...(init.headers as Record<string, string> | undefined) };
  const reply = await fetch(path, { ...init, headers }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new SessionError(0, "The service cannot be reached. Check that it runs, and try again.");
  });
  const document: unknown = await reply.json().catch(() => null);
  if (reply.ok) return document as Reply;
  const { detail } = (document ?? {}) as { readonly detail?: string };
  throw new SessionError(reply.status, detail ?? `The service replied with ${reply.status}.`);
}
