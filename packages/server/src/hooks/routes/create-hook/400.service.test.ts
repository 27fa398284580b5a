import assert from "node:assert/strict";
import { after, test } from "node:test";
import { hooksMax } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { hooksOf } from "../../hook-store.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: "Hooks", brand: "Acme" });
const token = await service.session(accountId, ["manage"]);
const url = "https://example.com/";

/** Bodies, and the faults of each. */
const faulty: readonly (readonly [body: unknown, ...faults: readonly string[]])[] = [
  [[], " wrong_type must be an object, got an array."],
  [{}, "/url missing is required and must be a string."],
  [{ url: 1 }, "/url wrong_type must be a string, got 1."],
  [{ url: "http://example.com/" }, "/url not_allowed must be an absolute https:// URL."],
  [{ url: "https://a:b@example.com/" }, "/url not_allowed must not have a name or a password."],
  [
    { url: "https://127.1/" },
    "/url not_allowed must not lead to a private address, unless --hooks-to-private is on.",
  ],
  [
    { url: "https://[::ffff:a00:1]/" },
    "/url not_allowed must not lead to a private address, unless --hooks-to-private is on.",
  ],
  [
    { url: `${url}${"x".repeat(2_048)}` },
    "/url too_large must have at most 2048 characters, got 2068.",
  ],
  [{ url, events: [] }, "/events too_small must have at least 1 items, got 0."],
  [
    { url, events: ["digests"] },
    "/events/0 not_allowed must be digest, moved, threshold-crossed, collection-failed or " +
      'report-made, got "digests". Did you mean digest?',
  ],
  [{ url, name: "\ud800" }, "/name wrong_format must not have an unpaired surrogate."],
  [
    { url, secret: "mine" },
    '/secret unknown_field "secret" is not a known field. Known fields: url, form, events, ' +
      "thresholds, name.",
  ],
];

test("a faulty request is refused, and nothing is created", async () => {
  for (const [body, ...faults] of faulty) {
    const headers = { "content-type": "application/json" };
    const reply = await service.post("/v1/hooks", { token, body: JSON.stringify(body), headers });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.deepEqual(
      errors.map(({ path, code, message }) => `${path} ${code} ${message}`),
      faults,
    );
  }
  assert.deepEqual(await hooksOf(service.services.control, accountId), []);
});

test("an account has so many webhooks and no more", async () => {
  for (let made = 0; made < hooksMax; made += 1) {
    assert.equal((await service.post("/v1/hooks", { token, body: { url } })).status, 200);
  }
  const refused = await service.post("/v1/hooks", { token, body: { url } });
  assert.match(assertProblem(refused, "invalid_request").detail, /has 20 webhooks/);
});
