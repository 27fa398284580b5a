import { randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { KeyRecord } from "../control/key-store.ts";
import type { Clock } from "../platform/clock.ts";
import { type SigningKeys, signingAlgorithm } from "./signing-keys.ts";

/** What a session token says of its bearer. */
export interface Session {
  readonly accountId: string;
  readonly keyId: string;
}

/** What issuing and checking sessions is done with. */
export interface SessionsOptions {
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly ttlSeconds: number;
  readonly clock: Clock;
}

/** How far the clocks of two nodes may be apart. */
const clockToleranceSeconds = 5;
/** A longer token is none of ours. */
const tokenCharactersMax = 4_096;

/**
 * Issues and checks session tokens. A token alone says who; whether its key is good is asked apart.
 */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** A token for a key that was verified. It does not outlive the key. */
  issue({ id, accountId, expiresAt }: KeyRecord): Promise<string> {
    const { keys, issuer, ttlSeconds, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    const keyEnd = expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor(expiresAt / 1000);
    return new SignJWT({ keyId: id })
      .setProtectedHeader({ alg: signingAlgorithm, kid: keys.current.kid, typ: "JWT" })
      .setIssuer(issuer)
      .setSubject(accountId)
      .setIssuedAt(now)
      .setExpirationTime(Math.min(now + ttlSeconds, keyEnd))
      .setJti(randomUUID())
      .sign(keys.current.privateKey);
  }

  /** The session of a token; null when it is malformed, forged, expired or not ours. */
  async verify(token: string): Promise<Session | null> {
    if (token.length > tokenCharactersMax) return null;
    const { keys, issuer, clock } = this.#options;
    try {
      const { payload } = await jwtVerify(
        token,
        ({ kid }) => {
          const key = kid === undefined ? undefined : keys.publicKey(kid);
          if (key === undefined) throw new Error("unknown kid");
          return key;
        },
        {
          algorithms: [signingAlgorithm],
          issuer,
          clockTolerance: clockToleranceSeconds,
          currentDate: new Date(clock.now()),
          requiredClaims: ["sub", "iat", "exp", "jti", "keyId"],
        },
      );
      const { sub, keyId } = payload;
      return typeof keyId === "string" && sub !== undefined ? { accountId: sub, keyId } : null;
    } catch {
      return null; // why is not told apart: a forger must learn nothing
    }
  }
}
