import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { base62Of, hashOfKey, keyIdOf, newStaticKey, randomBase62 } from "./static-key.ts";

const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("a key is sl_, 16 characters of id, 32 of secret and 6 of checksum", () => {
  const { key, keyId } = newStaticKey();
  assert.match(key, /^sl_[0-9A-Za-z]{54}$/);
  assert.equal(key.slice(3, 19), keyId);
  assert.equal(keyIdOf(key), keyId);
});

test("the checksum is the one that a scanner for leaked keys would compute", () => {
  // CRC-32 of "sl_" and 48 zeros, in base 62.
  assert.equal(keyIdOf(`sl_${"0".repeat(48)}2AaU1D`), "0".repeat(16));
});

test("no two keys are alike", () => {
  const keys = Array.from({ length: 1_000 }, () => newStaticKey());
  assert.equal(new Set(keys.map(({ keyId }) => keyId)).size, 1_000);
  assert.equal(new Set(keys.map(({ key }) => key.slice(19, 51))).size, 1_000);
});

test("every substitution of one character is found, in each place", () => {
  const { key } = newStaticKey();
  for (let place = 0; place < key.length; place++) {
    for (const character of `${characters}_-. é\n`) {
      if (character === key[place]) continue;
      const mistyped = key.slice(0, place) + character + key.slice(place + 1);
      assert.equal(keyIdOf(mistyped), null, mistyped);
    }
  }
});

test("every swap of neighbours, lost or doubled character is found", () => {
  const { key } = newStaticKey();
  for (let place = 0; place < key.length - 1; place++) {
    const [before, here, next, after] = [
      key.slice(0, place),
      key.charAt(place),
      key.charAt(place + 1),
      key.slice(place + 2),
    ];
    assert.equal(keyIdOf(before + next + after), null);
    assert.equal(keyIdOf(before + here + here + next + after), null);
    if (here !== next) assert.equal(keyIdOf(before + next + here + after), null);
  }
});

test("a credential without the shape of a key has no id", () => {
  const { key } = newStaticKey();
  for (const text of ["", "sl_", key.slice(3), `${key} `, ` ${key}`, `${key}\n`, key.repeat(2)]) {
    assert.equal(keyIdOf(text), null, JSON.stringify(text));
  }
  assert.equal(keyIdOf("sl_".repeat(100_000)), null);
});

test("the hash depends on every part of the key, and on the pepper", () => {
  const { key } = newStaticKey();
  const pepper = Buffer.alloc(32, 1);
  const hash = hashOfKey(key, pepper);
  assert.equal(hash.length, 32);
  assert.deepEqual(hashOfKey(key, pepper), hash);
  assert.notDeepEqual(hashOfKey(key, Buffer.alloc(32, 2)), hash);
  assert.notDeepEqual(hashOfKey(`${key.slice(0, -1)}-`, pepper), hash);
});

test("a number of 32 bits is six characters, and no two numbers are the same six", () => {
  assert.equal(base62Of(0), "000000");
  assert.equal(base62Of(61), "00000z");
  assert.equal(base62Of(62), "000010");
  assert.equal(base62Of(62 ** 2 + 10), "00010A");
  // 4,294,967,295 = 4 x 62^5 + 42 x 62^4 + 41 x 62^3 + 0 x 62^2 + 31 x 62 + 3
  assert.equal(base62Of(2 ** 32 - 1), "4gfFC3");
});

test("random text has the length asked for, and each character as often as any other", () => {
  const counts = new Map<string, number>();
  const text = randomBase62(62_000, randomBytes);
  assert.match(text, /^[0-9A-Za-z]{62000}$/);
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  assert.equal(counts.size, 62);
  // A thousand of each are expected; eight standard deviations away is not chance.
  for (const [character, count] of counts) {
    assert.ok(Math.abs(count - 1_000) < 8 * Math.sqrt(1_000), `${character}: ${count}`);
  }
});

test("bytes that would make some characters likelier are not used", () => {
  const bytes = [255, 248, 247, 0, 61, 62];
  assert.equal(
    randomBase62(4, () => Uint8Array.from(bytes)),
    "z0z0",
  );
});
