import { bearerToken } from "../auth/bearer.ts";
import type { KeyRecord } from "../control/key-store.ts";
import { ServiceError } from "../platform/service-error.ts";
import type { AppServices } from "./app-services.ts";

/** What a session is shown by. */
export interface Credentials {
  /** The field as it was sent. */
  readonly authorization: string | undefined;
  /** Over which it was sent. */
  readonly connection: object;
}

/**
 * The key for which the session of an `Authorization` field was issued, while both are good.
 * @throws ServiceError session_required or session_invalid, with the RFC 6750 challenge.
 */
export async function callerOf(
  { sessions, keyRing }: AppServices,
  { authorization, connection }: Credentials,
): Promise<KeyRecord> {
  const token = bearerToken(authorization);
  if (token === null) {
    throw new ServiceError(
      "session_required",
      "Send `Authorization: Bearer <session token>`; the exchange gives one for an API key.",
      { headers: { "WWW-Authenticate": "Bearer" } },
    );
  }
  const session = token === undefined ? null : await sessions.verify(token, connection);
  const key = session === null ? null : await keyRing.goodKey(session.keyId);
  if (key !== null && key.accountId === session?.accountId) return key;
  throw new ServiceError(
    "session_invalid",
    "The token is malformed, expired or revoked. Exchange the API key again and retry.",
    { headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' } },
  );
}
