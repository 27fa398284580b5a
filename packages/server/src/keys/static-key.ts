import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { base62Of, randomBase62 } from "./base62.ts";

const prefix = "sl_";
const idCharacters = 16;
const secretCharacters = 32;
const shape = /^sl_([0-9A-Za-z]{16})[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/;

/** A new static key: `sl_`, 16 characters of key id, 32 of secret (190 bits), 6 of CRC-32. */
export function newStaticKey(): { readonly keyId: string; readonly key: string } {
  const keyId = randomBase62(idCharacters, randomBytes);
  const body = `${prefix}${keyId}${randomBase62(secretCharacters, randomBytes)}`;
  return { keyId, key: body + checksum(body) };
}

/** Whether a credential looks like a key, possibly with an issuer prefix; sessions never do. */
export function looksLikeKey(credential: string): boolean {
  return /(^|:)sl_/.test(credential);
}

/**
 * The key id of a well-formed key; null when the shape or the checksum is wrong (a typing error).
 */
export function keyIdOf(key: string): string | null {
  const match = shape.exec(key);
  if (match === null) return null;
  return checksum(key.slice(0, -6)) === key.slice(-6) ? (match[1] ?? null) : null;
}

/** HMAC-SHA-256 of a key under the pepper: the only form in which it is stored. */
export function hashOfKey(key: string, pepper: Uint8Array): Buffer {
  return createHmac("sha256", pepper).update(key).digest();
}

/** A CRC-32 detects any change of a single character. */
function checksum(body: string): string {
  return base62Of(crc32(body));
}
