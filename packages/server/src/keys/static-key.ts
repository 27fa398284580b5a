import { createHmac, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

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

/**
 * Whether a credential has the shape of a key, possibly with an issuer prefix; sessions never do.
 */
export function looksLikeKey(credential: string): boolean {
  return /(^|:)sl_/.test(credential);
}

/** The id of a well-formed key; null when the shape or the checksum is wrong (a typing error). */
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

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Text of `length` characters, drawn uniformly from letters and digits with `random` bytes. */
export function randomBase62(length: number, random: (bytes: number) => Uint8Array): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length * 2)) {
      // 248 = 4 x 62: larger bytes would make the first letters more likely.
      if (byte < 248 && text.length < length) text += digits[byte % 62];
    }
  }
  return text;
}

/** A 32-bit number as six characters. */
export function base62Of(number: number): string {
  let text = "";
  for (let rest = number, place = 0; place < 6; place++) {
    text = (digits[rest % 62] ?? "") + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
