import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { base62Of, randomBase62 } from "./base62.ts";

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
