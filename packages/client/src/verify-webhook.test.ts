import assert from "node:assert/strict";
import { test } from "node:test";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.ts";

// The vector of the libraries for Standard Webhooks.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const body = '{"test": 2432232314}';
const headers = {
  "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
  "webhook-timestamp": "1614265330",
  "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};
const now = 1_614_265_330_000;
const event = { test: 2432232314 };

test("a request of the service gives its event, with its parts in each form", async () => {
  assert.deepEqual(await verifyWebhook(body, headers, { secret, now }), event);
  const bytes = new TextEncoder().encode(body);
  assert.deepEqual(await verifyWebhook(bytes, new Headers(headers), { secret, now }), event);
  const two = { ...headers, "webhook-signature": `v1,AAAA v2,x ${headers["webhook-signature"]}` };
  assert.deepEqual(await verifyWebhook(body, two, { secret, now }), event);
  for (const seconds of [-300, 300]) {
    const other = now + seconds * 1_000;
    assert.deepEqual(await verifyWebhook(body, headers, { secret, now: other }), event);
  }
  const late = { secret, now: now + 900_000, toleranceSeconds: 900 };
  assert.deepEqual(await verifyWebhook(body, headers, late), event);
});

test("any other request is refused", async () => {
  const refused = async (
    changed: Readonly<Record<string, string | undefined>>,
    { text = body, key = secret, at = now, why = /no signature fits/ } = {},
  ) =>
    assert.rejects(
      verifyWebhook(text, { ...headers, ...changed }, { secret: key, now: at }),
      (error) => error instanceof WebhookVerificationError && why.test(error.message),
    );
  await refused({}, { text: '{"test":2432232314}' });
  await refused({}, { text: `\ufeff${body}` });
  await refused({}, { key: "whsec_AAAA" });
  await refused({}, { key: "AAAA", why: /whsec_ and base64/ });
  await refused({}, { key: "whsec_*", why: /whsec_ and base64/ });
  await refused({ "webhook-id": "msg_other" });
  await refused({ "webhook-timestamp": "1614265331" });
  await refused({ "webhook-timestamp": "now" }, { why: /not a number/ });
  await refused({}, { at: now + 300_001, why: /too old/ });
  await refused({}, { at: now - 300_001, why: /too old/ });
  for (const signature of ["v1", "v1,", "v1,*", "v2,AAAA", headers["webhook-signature"].slice(3)]) {
    await refused({ "webhook-signature": signature });
  }
  for (const name of Object.keys(headers)) {
    await refused({ [name]: undefined }, { why: new RegExp(`no header field ${name}`) });
    await refused({ [name]: "" }, { why: new RegExp(`no header field ${name}`) });
  }
});
