import type { FastifyRequest } from "fastify";
import type { ConsoleSession } from "../../auth/console-sessions.ts";
import { ServiceError } from "../../platform/service-error.ts";
import type { AppServices } from "../app-services.ts";
import type { RouteParameters } from "../route.ts";
import { consoleFault } from "./console-fault.ts";
import { sessionCookie } from "./session-cookie.ts";

/** Below this address a browser is known by its cookie, which it sends nowhere else. */
export const consoleAccountPath = "/console/accounts/:accountId";

/** A browser that is signed in to the account of the address. */
export interface ConsoleCaller extends ConsoleSession {
  readonly accountId: string;
  readonly token: string;
}

/** Fields of a 401: browsers ask nobody for a password because of this scheme. */
const challenge = { "WWW-Authenticate": "Cookie" };

/**
 * The session of a browser in the account of its request's address.
 * @throws ServiceError not_from_console, session_required or session_invalid.
 */
export async function consoleCaller(
  { consoleSessions }: Pick<AppServices, "consoleSessions">,
  { headers, params }: Pick<FastifyRequest, "headers" | "params">,
): Promise<ConsoleCaller> {
  const fault = consoleFault(headers);
  if (fault !== null) throw fault;
  const { accountId = "" } = params as RouteParameters;
  const token = sessionCookie(headers, accountId);
  if (token === null) {
    const detail = "This browser is not signed in to the account. Sign in to the console.";
    throw new ServiceError("session_required", detail, { headers: challenge });
  }
  const session = await consoleSessions.find(accountId, token);
  if (session !== null) return { ...session, accountId, token };
  throw sessionEnded();
}

/** The refusal of a session that is unknown, expired or ended, or whose key is. */
export function sessionEnded(): ServiceError {
  const detail = "The session has ended, or its API key has. Sign in to the console again.";
  return new ServiceError("session_invalid", detail, { headers: challenge });
}
