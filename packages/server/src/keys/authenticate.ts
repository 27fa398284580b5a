import type { CallerKind } from "../http/operation.ts";
import { ServiceError } from "../platform/service-error.ts";
import { bearerToken } from "./bearer.ts";
import { consoleAccountPath, consoleCaller, findConsoleCaller } from "./console/console-caller.ts";
import type { KeyRing } from "./key-ring.ts";
import type { KeyServices } from "./key-services.ts";
import type { KeyRecord } from "./key-store.ts";
import type { Sessions } from "./sessions.ts";
import { looksLikeKey } from "./static-key.ts";

/** Services that authenticate a session token. */
interface AuthenticationServices {
  readonly sessions: Sessions;
  readonly keyRing: KeyRing;
}

const noGood = "The token is malformed, expired or revoked. Exchange the API key again and retry.";
/** Depends only on the shape of the credential, so it does not reveal whether the key is valid. */
const notAKey =
  "You sent an API key. Exchange it at POST /v1/auth/accesskey/exchange, and send the " +
  "`sessionJwt` from the reply.";

/**
 * The API key of the session in an `Authorization` field, if both are valid.
 * @throws ServiceError session_required or session_invalid, with the RFC 6750 challenge.
 */
export async function authenticate(
  { sessions, keyRing }: AuthenticationServices,
  authorization: string | undefined,
): Promise<KeyRecord> {
  const token = bearerToken(authorization);
  if (token === null) {
    throw new ServiceError(
      "session_required",
      "Send `Authorization: Bearer <session token>`; the exchange gives one for an API key.",
      { headers: { "WWW-Authenticate": "Bearer" } },
    );
  }
  const session = token === undefined ? null : await sessions.verify(token);
  const key = session === null ? null : await keyRing.goodKey(session.keyId);
  if (key !== null && key.accountId === session?.accountId) return key;
  throw new ServiceError("session_invalid", looksLikeKey(token ?? "") ? notAKey : noGood, {
    headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
  });
}

/** Services that identify callers. */
type CallerServices = Pick<
  KeyServices,
  "sessions" | "keyRing" | "consoleSessions" | "signedInPeople"
>;

/**
 * All kinds of callers: session tokens, and the console's cookies if there is a console. An
 * operation is the same for each: checks, limits, queues and replies. No kind accepts the
 * credential of another.
 */
export function callerKinds(services: CallerServices, hasConsole: boolean): readonly CallerKind[] {
  const bearer: CallerKind = {
    prefix: "",
    identify: ({ headers }) => authenticate(services, headers.authorization),
    isStillGood: async (_request, { id }) => (await services.keyRing.goodKey(id)) !== null,
  };
  if (!hasConsole) return [bearer];
  const cookie: CallerKind = {
    prefix: consoleAccountPath,
    identify: async (request) => (await consoleCaller(services, request)).caller,
    isStillGood: async (request, { id }, scope) => {
      const caller = (await findConsoleCaller(services, request))?.caller;
      // A role that was lowered ends what it does not allow any more.
      return caller?.id === id && caller.scopes.includes(scope);
    },
  };
  return [bearer, cookie];
}
