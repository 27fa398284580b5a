import assert from "node:assert/strict";
import { after, test } from "node:test";
import { validKeysMax } from "@sightline/contract";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { countValidKeys, revokeKey } from "../../key-store.ts";

const service = await TestService.start();
after(() => service.close());
const accountId = await service.apply({ account: { name: "Keys" }, brand: { name: "Acme" } });
const token = await service.session(accountId, ["read", "manage"]);

const rateForm = "must be 1/s to 10000/s, or off";
const quotaForm = "must be an integer from 1 to 1000000000, or off";
const lifeForm = "must be a number above 0 followed by s, m, h, d or w, for example 90d";

/** Bodies, and the faults of each. */
const faulty: readonly (readonly [body: unknown, ...faults: readonly string[]])[] = [
  [[], " wrong_type must be an object, got an array."],
  [{ name: 1 }, "/name wrong_type must be a string, got 1."],
  [{ name: "x".repeat(501) }, "/name too_large must have at most 500 characters, got 501."],
  [{ name: "\ud800" }, "/name wrong_format must not have an unpaired surrogate."],
  [{ scopes: [] }, "/scopes too_small must have at least 1 items, got 0."],
  [
    { scopes: ["reed"] },
    "/scopes/0 not_allowed must be read, import, manage, accounts or people, got " +
      '"reed". Did you mean read?',
  ],
  [
    { scopes: Array.from({ length: 6 }, () => "read") },
    "/scopes too_large must have at most 5 items, got 6.",
  ],
  [{ scope: "read" }, '/scope unknown_field "scope" is not a known field. Did you mean scopes?'],
  [{ rate: "0/s" }, `/rate wrong_format ${rateForm}, got "0/s".`],
  [{ rate: "10001/s" }, `/rate wrong_format ${rateForm}, got "10001/s".`],
  [{ rate: 20 }, "/rate wrong_type must be a string, got 20."],
  [{ quota: 0 }, "/quota too_small must be at least 1, got 0."],
  [{ quota: "9" }, `/quota wrong_type ${quotaForm}, got "9".`],
  [{ expiresIn: "0d" }, `/expiresIn wrong_format ${lifeForm}, got "0d".`],
  [{ expiresIn: "1y" }, `/expiresIn wrong_format ${lifeForm}, got "1y".`],
  [{ expiresIn: "999999w" }, "/expiresIn too_large must end by the year 9999."],
  [
    { rate: "x", expiresIn: "x" },
    `/expiresIn wrong_format ${lifeForm}, got "x".`,
    `/rate wrong_format ${rateForm}, got "x".`,
  ],
];

for (const [body, ...faults] of faulty) {
  test(`refused: ${JSON.stringify(body).slice(0, 60)}`, async () => {
    const reply = await service.post("/v1/keys", { token, body: JSON.stringify(body), headers });
    const { errors = [] } = assertProblem(reply, "invalid_request");
    assert.deepEqual(
      errors.map(({ path, code, message }) => `${path} ${code} ${message}`),
      faults,
    );
  });
}

const headers = { "content-type": "application/json" };

test("nothing is created by a refused body, nor by one that is not JSON", async () => {
  const { control } = service.services;
  const before = await countValidKeys(control, accountId, service.clock.now());
  for (const body of ["", "{", '{"name":"a","name":"b"}']) {
    assertProblem(await service.post("/v1/keys", { token, body, headers }), "malformed_json");
  }
  assert.equal(await countValidKeys(control, accountId, service.clock.now()), before);
});

test("a key gets no higher limit than the one that creates it", async (t) => {
  const counting = await TestService.start({ settings: { dailyQuota: "5000" } });
  t.after(() => counting.close());
  const owner = await counting.apply({ account: "Slow", brand: "Acme" });
  const { key } = await counting.services.keyRing.create(owner, {
    name: "slow",
    expiresAt: null,
    scopes: ["read", "manage"],
    ratePerSecond: 5,
  });
  const exchanged = await counting.post("/v1/auth/accesskey/exchange", { token: key });
  const slow = exchanged.json<{ sessionJwt: string }>().sessionJwt;
  for (const [body, ...faults] of [
    [{ rate: "6/s" }, "/rate: must be at most 5/s, the rate of your own key, got 6/s."],
    [{ quota: 5_001 }, "/quota: must be at most 5000, the quota of your own key, got 5001."],
    [
      { rate: "off", quota: "off" },
      "/rate: must be at most 5/s, the rate of your own key, got off.",
      "/quota: must be at most 5000, the quota of your own key, got off.",
    ],
  ] as const) {
    const reply = await counting.post("/v1/keys", { token: slow, body });
    const { detail, errors } = assertProblem(reply, "invalid_request");
    assert.equal(detail, faults.join(" "));
    assert.deepEqual(new Set(errors?.map((error) => error.code)), new Set(["too_large"]));
    counting.clock.advance(1_000);
  }
});

test("an account has so many valid keys and no more", async (t) => {
  const other = await TestService.start();
  t.after(() => other.close());
  const owner = await other.apply({ account: { name: "Full" }, brand: { name: "Full" } });
  const manage = await other.session(owner, ["read", "manage"]);
  const { control } = other.services;
  const ids: string[] = [];
  for (let made = 1; made < validKeysMax; made++) {
    const created = await other.services.keyRing.create(owner, { name: "", expiresAt: null });
    ids.push(created.keyId);
  }
  assert.equal(await countValidKeys(control, owner, service.clock.now()), validKeysMax);
  const refused = await other.post("/v1/keys", { token: manage, body: {} });
  assert.match(assertProblem(refused, "invalid_request").detail, /has 1000 valid keys/);
  await revokeKey(control, ids[0] ?? "", service.clock.now());
  assert.equal((await other.post("/v1/keys", { token: manage, body: {} })).status, 200);
});
