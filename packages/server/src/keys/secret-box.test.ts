import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { SecretBox, UnreadableSecretError } from "./secret-box.ts";

const pepper = randomBytes(32);

test("a secret opens under the same pepper, for the same owner, and whole", () => {
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const box = SecretBox.of(pepper);
  const sealed = box.seal(secret, "a");
  assert.equal(SecretBox.of(pepper).open(sealed, "a"), secret);
  assert.ok(!sealed.includes(secret) && !sealed.includes(secret.slice(6)));
  assert.notDeepEqual(box.seal(secret, "a"), sealed);
  assert.throws(() => SecretBox.of(randomBytes(32)).open(sealed, "a"), UnreadableSecretError);
  assert.throws(() => box.open(sealed, "b"), UnreadableSecretError);
  for (let place = 0; place < sealed.length; place += 1) {
    const damaged = Buffer.from(sealed);
    damaged[place] = (damaged[place] ?? 0) ^ 1;
    assert.throws(() => box.open(damaged, "a"), UnreadableSecretError);
    assert.throws(() => box.open(sealed.subarray(0, place), "a"), UnreadableSecretError);
  }
});
