import type { CallerKey, PathParameters } from "../../http/operation.ts";
import { consoleFault } from "../../http/origins.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { KeyServices } from "../key-services.ts";
import { sessionCookies } from "./session-cookie.ts";
import type { ConsoleRequest, PersonInAccount } from "./signed-in-people.ts";

/** Below this path the caller is a browser with a cookie, which is restricted to this path. */
export const consoleAccountPath = "/console/accounts/:accountId";

/** A browser that is signed in to the account of the path: with a key, or as a person. */
export interface ConsoleCaller {
  readonly caller: CallerKey;
  readonly accountId: string;
  /** Milliseconds since 1970, UTC; null: a proxy says with each call who asks. */
  readonly expiresAt: number | null;
  /** Null: it signed in with a key. */
  readonly person: PersonInAccount["person"] | null;
  /** Of the session with a key; empty: there is none. */
  readonly token: string;
}

/** Fields of a 401. Browsers do not show a password dialog for this scheme. */
export const cookieChallenge = { "WWW-Authenticate": "Cookie" };

type CallerServices = Pick<KeyServices, "consoleSessions" | "signedInPeople">;

/**
 * The caller in the account of the request's path.
 * @throws ServiceError not_from_console, session_required or session_invalid.
 */
export async function consoleCaller(
  services: CallerServices,
  request: ConsoleRequest,
): Promise<ConsoleCaller> {
  const { headers, params } = request;
  const fault = consoleFault(request);
  if (fault !== null) throw fault;
  const caller = await findConsoleCaller(services, request);
  if (caller !== null) return caller;
  const { accountId = "" } = params as PathParameters;
  if (sessionCookies(headers, accountId).length > 0) throw sessionEnded();
  const detail = "This browser is not signed in to the account. Sign in to the console.";
  throw new ServiceError("session_required", detail, { headers: cookieChallenge });
}

/**
 * As `consoleCaller`, for a request whose origin has been checked; null: no valid session. A person
 * comes first: somebody who signs in does it to have a role of their own.
 */
export async function findConsoleCaller(
  { consoleSessions, signedInPeople }: CallerServices,
  request: ConsoleRequest,
): Promise<ConsoleCaller | null> {
  const { accountId = "" } = request.params as PathParameters;
  const inAccount = await signedInPeople.find(request, accountId);
  if (inAccount !== null) return { ...inAccount, accountId, token: "" };
  for (const token of sessionCookies(request.headers, accountId)) {
    const session = await consoleSessions.find(accountId, token);
    if (session === null) continue;
    const { key: caller, expiresAt } = session;
    return { caller, expiresAt, accountId, token, person: null };
  }
  return null;
}

/** The error for a session that is unknown, expired or ended, or whose key is. */
export function sessionEnded(): ServiceError {
  const detail = "The session has ended, or its API key has. Sign in to the console again.";
  return new ServiceError("session_invalid", detail, { headers: cookieChallenge });
}
