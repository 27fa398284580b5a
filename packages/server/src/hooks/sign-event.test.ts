import assert from "node:assert/strict";
import { test } from "node:test";
import { newHookSecret, signatureFields } from "./sign-event.ts";

test("events are signed as Standard Webhooks says: the vector of its libraries", () => {
  const event = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    atMs: 1_614_265_330_999,
    body: '{"test": 2432232314}',
  };
  assert.deepEqual(signatureFields(event, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"), {
    "webhook-id": event.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

test("a secret is 256 random bits", () => {
  const secret = newHookSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(newHookSecret(), secret);
});
