import { hash, randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import type { KeyRecord } from "../control/key-store.ts";
import type { Clock } from "../platform/clock.ts";
import { sessionSecondsMax } from "./session-life.ts";
import { type SigningKeys, signingAlgorithm } from "./signing-keys.ts";

/** What a session token says of its bearer. */
export interface Session {
  readonly accountId: string;
  readonly keyId: string;
  /** Of our key that signed it. */
  readonly kid: string;
  /** When it was issued: seconds since 1970, UTC. */
  readonly iat: number;
  /** Until when it is good, likewise. */
  readonly exp: number;
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
/** Tokens whose signature was found good and need not be checked again. */
const verifiedMax = 10_000;

/**
 * Issues and checks session tokens. A token alone says who; whether its key is good is asked apart.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /** By the token's SHA-256, so that no token stays in memory; the oldest go first. */
  readonly #verified = new Map<string, Session>();

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
    const place = hash("sha256", token, "base64");
    const known = this.#verified.get(place);
    if (known !== undefined && this.#isGood(known)) return known;
    this.#verified.delete(place);
    const verified = await this.#check(token);
    if (verified === null) return null;
    const [oldest] = this.#verified.keys();
    if (oldest !== undefined && this.#verified.size >= verifiedMax) this.#verified.delete(oldest);
    this.#verified.set(place, verified);
    return verified;
  }

  /** Whether a session is good still: the time may have changed since, and our keys. */
  #isGood({ kid, iat, exp }: Session): boolean {
    const { keys, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    // One of the future was issued, or forged, while a clock was ahead; so long a one is not ours.
    const isOfThePast = iat <= now + clockToleranceSeconds;
    const isShort = exp - iat <= sessionSecondsMax + clockToleranceSeconds;
    const isOver = exp <= now - clockToleranceSeconds;
    return isOfThePast && isShort && !isOver && keys.publicKey(kid) !== undefined;
  }

  async #check(token: string): Promise<Session | null> {
    const { keys, issuer, clock } = this.#options;
    try {
      const { payload, protectedHeader } = await jwtVerify(
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
      const { sub, keyId, iat, exp } = payload;
      const { kid } = protectedHeader;
      if (typeof keyId !== "string" || sub === undefined) return null;
      if (iat === undefined || exp === undefined || kid === undefined) return null;
      const session = { accountId: sub, keyId, kid, iat, exp };
      return this.#isGood(session) ? session : null;
    } catch {
      return null; // why is not told apart: a forger must learn nothing
    }
  }
}
