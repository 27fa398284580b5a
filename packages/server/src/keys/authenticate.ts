import { ServiceError } from "../platform/service-error.ts";
import { bearerToken } from "./bearer.ts";
import type { KeyRing } from "./key-ring.ts";
import type { KeyRecord } from "./key-store.ts";
import type { Sessions } from "./sessions.ts";
import { looksLikeKey } from "./static-key.ts";

/** What callers are known by. */
export interface AuthenticationServices {
  readonly sessions: Sessions;
  readonly keyRing: KeyRing;
}

const noGood = "The token is malformed, expired or revoked. Exchange the API key again and retry.";
/** Goes by the looks of what was sent, and so tells nothing of whether the key is good. */
const notAKey =
  "You sent an API key. Exchange it at POST /v1/auth/accesskey/exchange, and send the " +
  "`sessionJwt` from the reply.";

/**
 * The key for which the session of an `Authorization` field was issued, while both are good.
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
