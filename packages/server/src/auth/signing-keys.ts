import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import type { Control } from "../control/control.ts";
import type { Clock } from "../platform/clock.ts";

/** The one algorithm of session tokens; no other is ever accepted. */
export const signingAlgorithm = "RS256";

/** The keys that sign and check sessions. */
export interface SigningKeys {
  readonly current: { readonly kid: string; readonly privateKey: CryptoKey };
  /** By key id; undefined: not ours. */
  readonly publicKey: (kid: string) => CryptoKey | undefined;
  /** The public halves (RFC 7517), newest first. */
  readonly jwks: { readonly keys: readonly JWK[] };
}

/** Loads the signing keys; makes the first one when there is none. */
export async function loadSigningKeys(control: Control, clock: Clock): Promise<SigningKeys> {
  let records = await control.signingKeys();
  if (records.length === 0) {
    await control.addSigningKey(await newSigningKey(clock));
    records = await control.signingKeys();
  }
  const [newest] = records;
  if (newest === undefined) throw new Error("control has no signing key");
  const publicJwks = records.map(({ publicKey }) => JSON.parse(publicKey) as JWK);
  const publicKeys = new Map<string, CryptoKey>();
  for (const jwk of publicJwks) publicKeys.set(jwk.kid ?? "", await imported(jwk));
  return {
    current: {
      kid: newest.kid,
      privateKey: await imported(JSON.parse(newest.privateKey) as JWK),
    },
    publicKey: (kid) => publicKeys.get(kid),
    jwks: { keys: publicJwks },
  };
}

async function newSigningKey(clock: Clock) {
  const pair = await generateKeyPair(signingAlgorithm, { modulusLength: 2048, extractable: true });
  const publicJwk = await exportJWK(pair.publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  const described = { kid, alg: signingAlgorithm, use: "sig" };
  return {
    kid,
    publicKey: JSON.stringify({ ...publicJwk, ...described }),
    privateKey: JSON.stringify({ ...(await exportJWK(pair.privateKey)), ...described }),
    createdAt: clock.now(),
  };
}

async function imported(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, signingAlgorithm);
  if (key instanceof Uint8Array) throw new Error("a signing key is not an RSA key");
  return key;
}
