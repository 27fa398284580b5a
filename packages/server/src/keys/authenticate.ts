import type { Scope } from "@sightline/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { CallerServices, Entrance } from "../http/app-services.ts";
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

/** A request, and the way that it takes. */
interface Entering {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly entrance: Entrance;
}

/**
 * Lets a caller through who has a session, calls left and the scope, in this order. The reply has
 * the state of the limits, whatever comes of it. @throws ServiceError.
 */
export async function admit(
  { limits, callsUnderWay }: Pick<CallerServices, "limits" | "callsUnderWay">,
  { request, reply, entrance }: Entering,
  scope: Scope,
): Promise<void> {
  const caller = await entrance.identify(request);
  reply.headers(await limits.take(caller));
  requireScope(caller, scope);
  request.caller = caller;
  request.ended = callsUnderWay.begin(reply.raw, () => entrance.isStillGood(request));
}

/** Aborts when the call of a caller who was let through has to end. */
export function endOf({ ended }: FastifyRequest): AbortSignal {
  if (ended === null) throw new Error("a request came through without a session");
  return ended;
}

/** The account of a caller who was let through. */
export function accountOf(request: FastifyRequest): string {
  return callerOf(request).accountId;
}

/** The key of a caller who was let through. */
export function callerOf({ caller }: FastifyRequest): KeyRecord {
  if (caller === null) throw new Error("a request came through without a session");
  return caller;
}

/** A key does what its scopes say and nothing else. @throws ServiceError scope_missing. */
export function requireScope({ scopes }: KeyRecord, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new ServiceError(
    "scope_missing",
    `This operation needs a key with the scope ${scope}; yours has ${scopes.join(", ")}. ` +
      `Create one with \`sightline keys create --scope ${scope}\`.`,
  );
}
