import type { Clock } from "./clock.ts";
import { readSecret } from "./options.ts";
import { objectOf, parsed } from "./refusal.ts";

/** The source of a call's token. */
export interface Credentials {
  /** Resolves once there is a token. */
  readonly ready: () => Promise<unknown>;
  /** The token to send now; null when there is none, or none that is valid for long enough. */
  readonly token: () => string | null;
  /**
   * Reports that a token got 401.
   * @returns whether another one is available.
   */
  readonly renew: (refused: string) => boolean;
}

/** A fixed token: a given session, or the key itself. */
export function fixedToken(token: string): Credentials {
  return { ready: async () => undefined, token: () => token, renew: () => false };
}

/** The share of a session's lifetime for which it is used. */
const usedShareOfLife = 0.8;

/**
 * Sessions, exchanged on demand: concurrent callers share one exchange. Lifetime is
 * counted from the moment before the exchange on this machine's clock, so its time of day may be
 * wrong. `exchange` must end by itself.
 */
export function exchangedSessions(exchange: () => Promise<string>, clock: Clock): Credentials {
  let current: { readonly jwt: string; readonly usedUntilMs: number } | null = null;
  let exchanging: Promise<void> | null = null;
  const token = (): string | null =>
    current !== null && clock.elapsed() < current.usedUntilMs ? current.jwt : null;
  const exchanged = async (): Promise<void> => {
    const startMs = clock.elapsed();
    const jwt = readSecret("session", await exchange());
    current = { jwt, usedUntilMs: startMs + usedShareOfLife * lifeMsOf(jwt) };
  };
  return {
    ready: async () => {
      if (token() !== null) return;
      exchanging ??= exchanged().finally(() => {
        exchanging = null;
      });
      await exchanging;
    },
    token,
    renew: (refused) => {
      // Of many calls that were rejected together, only the first still finds its session here.
      if (current?.jwt === refused) current = null;
      return true;
    },
  };
}

/**
 * A session's lifetime, from its `iat` and `exp`: read, not verified, which only the service can
 * do. A token without them is used until it is rejected.
 */
export function lifeMsOf(jwt: string): number {
  const { iat, exp } = objectOf(parsed(decoded(jwt.split(".")[1] ?? "")));
  const lifeMs = (Number(exp) - Number(iat)) * 1_000;
  return lifeMs > 0 ? lifeMs : Number.POSITIVE_INFINITY;
}

/** Decoded base64url; empty when it is invalid. */
function decoded(part: string): string {
  try {
    return atob(part.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    return "";
  }
}
