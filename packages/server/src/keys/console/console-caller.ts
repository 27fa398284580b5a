import type { FastifyRequest } from "fastify";
import type { PathParameters } from "../../http/operation.ts";
import { consoleFault } from "../../http/origins.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { KeyServices } from "../key-services.ts";
import type { ConsoleSession } from "./console-sessions.ts";
import { sessionCookies } from "./session-cookie.ts";

/** Below this path the caller is a browser with a cookie, which is restricted to this path. */
export const consoleAccountPath = "/console/accounts/:accountId";

/** A browser that is signed in to the account of the path. */
export interface ConsoleCaller extends ConsoleSession {
  readonly accountId: string;
  readonly token: string;
}

/** Fields of a 401. Browsers do not show a password dialog for this scheme. */
const challenge = { "WWW-Authenticate": "Cookie" };

/**
 * The session of a browser in the account of the request's path.
 * @throws ServiceError not_from_console, session_required or session_invalid.
 */
export async function consoleCaller(
  { consoleSessions }: Pick<KeyServices, "consoleSessions">,
  request: Pick<FastifyRequest, "headers" | "params" | "protocol">,
): Promise<ConsoleCaller> {
  const { headers, params } = request;
  const fault = consoleFault(request);
  if (fault !== null) throw fault;
  const { accountId = "" } = params as PathParameters;
  if (sessionCookies(headers, accountId).length === 0) {
    const detail = "This browser is not signed in to the account. Sign in to the console.";
    throw new ServiceError("session_required", detail, { headers: challenge });
  }
  const caller = await findConsoleCaller({ consoleSessions }, request);
  if (caller !== null) return caller;
  throw sessionEnded();
}

/** As `consoleCaller`, for a request whose origin has been checked; null: no valid session. */
export async function findConsoleCaller(
  { consoleSessions }: Pick<KeyServices, "consoleSessions">,
  { headers, params }: Pick<FastifyRequest, "headers" | "params">,
): Promise<ConsoleCaller | null> {
  const { accountId = "" } = params as PathParameters;
  for (const token of sessionCookies(headers, accountId)) {
    const session = await consoleSessions.find(accountId, token);
    if (session !== null) return { ...session, accountId, token };
  }
  return null;
}

/** The error for a session that is unknown, expired or ended, or whose key is. */
export function sessionEnded(): ServiceError {
  const detail = "The session has ended, or its API key has. Sign in to the console again.";
  return new ServiceError("session_invalid", detail, { headers: challenge });
}
