import type { JWK } from "jose";
import { calculateJwkThumbprint } from "jose/jwk/thumbprint";
import { CompactSign } from "jose/jws/compact/sign";
import { compactVerify } from "jose/jws/compact/verify";
import { importJWK } from "jose/key/import";
import { type SigningKeys, signingAlgorithm } from "./signing-keys.ts";

/** A text with a signature of the service. */
export interface SignedText {
  readonly text: string;
  /** RFC 7638, SHA-256, base64url, of the key that signed: as the service publishes it as `kid`. */
  readonly thumbprint: string;
}

/**
 * Signs a text with the key that signs sessions. The JWS (RFC 7515, compact) holds the text and the
 * public key. It cannot pass for a session token: its type is another, and it has no claims.
 */
export async function signText(
  keys: SigningKeys,
  text: string,
  type: string,
): Promise<SignedText & { readonly jws: string }> {
  const { publicJwk, privateKey, kid } = keys.current;
  const { kty, n, e } = publicJwk;
  if (kty !== "RSA" || n === undefined || e === undefined) throw new Error(`${kid} is not RSA`);
  const jws = await new CompactSign(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: signingAlgorithm, typ: type, kid, jwk: { kty, n, e } })
    .sign(privateKey);
  return { jws, text, thumbprint: kid };
}

/**
 * The text of a JWS that is whole: signed by the key in it, and written as it was. Whose key that
 * is, the reader must know. @returns null when it is not whole, or of another type.
 */
export async function readSignedText(jws: string, type: string): Promise<SignedText | null> {
  try {
    const header = JSON.parse(Buffer.from(jws.split(".")[0] ?? "", "base64url").toString()) as {
      readonly jwk?: JWK;
    };
    const jwk = header.jwk ?? {};
    const key = await importJWK(jwk, signingAlgorithm);
    const { payload, protectedHeader } = await compactVerify(jws, key, {
      algorithms: [signingAlgorithm],
    });
    const thumbprint = await calculateJwkThumbprint(jwk);
    if (protectedHeader.kid !== thumbprint || protectedHeader.typ !== type) return null;
    // The last character of base64url has bits that say nothing.
    const rewritten = jws.split(".").map((part) => Buffer.from(part, "base64url"));
    if (rewritten.map((part) => part.toString("base64url")).join(".") !== jws) return null;
    return { text: new TextDecoder().decode(payload), thumbprint };
  } catch {
    return null;
  }
}
