import { hash, randomUUID } from "node:crypto";
import { SignJWT } from "jose/jwt/sign";
import { jwtVerify } from "jose/jwt/verify";
import type { Clock } from "../platform/clock.ts";
import type { KeyRecord } from "./key-store.ts";
import { sessionSecondsMax } from "./session-life.ts";
import { type SigningKeys, signingAlgorithm } from "./signing-keys.ts";

/** The claims of a session token. */
export interface Session {
  readonly accountId: string;
  readonly keyId: string;
  /** The id of the signing key. */
  readonly kid: string;
  /** Issued at: seconds since 1970, UTC. */
  readonly iat: number;
  /** Expires at: seconds since 1970, UTC. */
  readonly exp: number;
}

/** Dependencies of issuing and verifying sessions. */
export interface SessionsOptions {
  readonly keys: SigningKeys;
  readonly issuer: string;
  readonly ttlSeconds: number;
  readonly clock: Clock;
}

/** Allowed difference between the clocks of two nodes. */
const clockToleranceSeconds = 5;
/** Issued tokens are shorter. */
const tokenCharactersMax = 4_096;
/** The size of the cache of verified tokens. */
const verifiedMax = 10_000;

/**
 * Issues and verifies session tokens. A token only identifies its caller; the caller's key is
 * checked separately.
 */
export class Sessions {
  readonly #options: SessionsOptions;
  /**
   * Verified sessions by the token's SHA-256, so that tokens do not stay in memory; the oldest are
   * evicted first.
   */
  readonly #verified = new Map<string, Session>();

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** A signed token (JWT) for a verified key. It does not outlive the key. */
  issue({ id, accountId, expiresAt, scopes }: KeyRecord): Promise<string> {
    const { keys, issuer, ttlSeconds, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    const keyEnd = expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor(expiresAt / 1000);
    return new SignJWT({ keyId: id, scope: scopes.join(" ") })
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

  /** Whether a verified session is still valid: time passes, and signing keys change. */
  #isGood({ kid, iat, exp }: Session): boolean {
    const { keys, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    // A token from the future was issued or forged while a clock was ahead; a longer one is not
    // ours.
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
      return null; // the reason is not reported: a forger must learn nothing
    }
  }
}
