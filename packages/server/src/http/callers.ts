import { bearerToken } from "../auth/bearer.ts";
import type { KeyRing } from "../auth/key-ring.ts";
import type { Session, Sessions } from "../auth/sessions.ts";
import { looksLikeKey } from "../auth/static-key.ts";
import type { KeyRecord } from "../control/key-store.ts";
import { ServiceError } from "../platform/service-error.ts";

/** What a session is shown by. */
export interface Credentials {
  /** The field as it was sent. */
  readonly authorization: string | undefined;
  /** Over which it was sent. */
  readonly connection: object;
}

interface LastSession {
  readonly authorization: string;
  readonly session: Session;
}

interface CallersServices {
  readonly sessions: Sessions;
  readonly keyRing: KeyRing;
}

const noGood = "The token is malformed, expired or revoked. Exchange the API key again and retry.";
/** Goes by the looks of what was sent, and so tells nothing of whether the key is good. */
const notAKey =
  "You sent an API key. Exchange it at POST /v1/auth/accesskey/exchange, and send the " +
  "`sessionJwt` from the reply.";

/** Knows who calls. */
export class Callers {
  readonly #services: CallersServices;
  /** Of each open connection: clients send one token again and again, and to hash it takes time. */
  readonly #last = new WeakMap<object, LastSession>();

  constructor(services: CallersServices) {
    this.#services = services;
  }

  /** Who showed the same over this connection before, while it is good; null: ask `of`. */
  known({ authorization, connection }: Credentials): KeyRecord | null {
    const last = this.#last.get(connection);
    if (last === undefined || last.authorization !== authorization) return null;
    const { sessions, keyRing } = this.#services;
    return sessions.isGood(last.session)
      ? keyOf(last.session, keyRing.knownKey(last.session.keyId))
      : null;
  }

  /**
   * The key for which the session of an `Authorization` field was issued, while both are good.
   * @throws ServiceError session_required or session_invalid, with the RFC 6750 challenge.
   */
  async of({ authorization, connection }: Credentials): Promise<KeyRecord> {
    const token = bearerToken(authorization);
    if (authorization === undefined || token === null) {
      throw new ServiceError(
        "session_required",
        "Send `Authorization: Bearer <session token>`; the exchange gives one for an API key.",
        { headers: { "WWW-Authenticate": "Bearer" } },
      );
    }
    const { sessions, keyRing } = this.#services;
    const session = token === undefined ? null : await sessions.verify(token);
    const key = session === null ? null : keyOf(session, await keyRing.goodKey(session.keyId));
    if (session !== null && key !== null) {
      this.#last.set(connection, { authorization, session });
      return key;
    }
    throw new ServiceError("session_invalid", looksLikeKey(token ?? "") ? notAKey : noGood, {
      headers: { "WWW-Authenticate": 'Bearer error="invalid_token"' },
    });
  }
}

/** The key, when it is that of the session. */
function keyOf({ accountId }: Session, key: KeyRecord | null): KeyRecord | null {
  return key?.accountId === accountId ? key : null;
}
