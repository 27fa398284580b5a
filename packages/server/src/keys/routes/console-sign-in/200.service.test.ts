import assert from "node:assert/strict";
import { test } from "node:test";
import { ConsolePage, cookieOf, fromConsole, signIn } from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { revokeKey } from "../../key-store.ts";

test("a key signs in for twelve hours, and no script reads the cookie", async (t) => {
  const { service, accountId } = await startSample(t);
  const { signedIn } = await ConsolePage.open(service, accountId, ["read", "manage"]);
  assert.deepEqual(signedIn.json(), {
    account: { id: accountId, name: "Acme" },
    scopes: ["read", "manage"],
    expiresAt: "2026-06-02T00:00:00.000Z",
  });
  assert.equal(signedIn.headers["cache-control"], "no-store");
  const { pair, attributes } = cookieOf(signedIn);
  assert.match(pair, new RegExp(`^sightline-${accountId}=[\\w-]{43}$`));
  assert.deepEqual(attributes, [
    `Path=/console/accounts/${accountId}/`,
    "Max-Age=43200",
    "HttpOnly",
    "SameSite=Strict",
  ]);
});

test("over https, which a trusted proxy says, the cookie stays with https", async (t) => {
  const { service, accountId } = await startSample(t, { trustedProxies: "127.0.0.1" });
  const key = await service.key(accountId);
  for (const [protocol, isSecure] of [
    ["https", true],
    ["http", false],
  ] as const) {
    const headers = { ...fromConsole, "x-forwarded-proto": protocol };
    const { attributes } = cookieOf(await signIn(service, { key }, headers));
    assert.equal(attributes.includes("Secure"), isSecure);
  }
});

test("a session ends with its key: when it expires, and when it is revoked", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, control } = service.services;
  const expiresAt = service.clock.now() + 60_500;
  const short = await keyRing.create(accountId, { name: "short", expiresAt });
  const signedIn = await signIn(service, { key: short.key });
  assert.equal(cookieOf(signedIn).attributes[1], "Max-Age=60");
  const end = new Date(expiresAt).toISOString();
  assert.equal(signedIn.json<{ expiresAt: string }>().expiresAt, end);

  const long = await keyRing.create(accountId, { name: "long", expiresAt: null });
  const { pair } = cookieOf(await signIn(service, { key: long.key }));
  const headers = { ...fromConsole, cookie: pair };
  const path = `/console/accounts/${accountId}/session`;
  assert.equal((await service.request("POST", path, { headers })).status, 200);
  await revokeKey(control, long.keyId, service.clock.now());
  assertProblem(await service.request("POST", path, { headers }), "session_invalid");
  assertProblem(await service.request("GET", path, { headers }), "session_invalid");
});

test("a link signs in once, within ten minutes", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, consoleLinks, control } = service.services;
  const { keyId } = await keyRing.create(accountId, { name: "demo", expiresAt: null });
  const [code, late, revoked] = [1, 2, 3].map(() => consoleLinks.create(keyId));
  assert.equal((await signIn(service, { code })).status, 200);
  assertProblem(await signIn(service, { code }), "key_invalid");

  service.clock.advance(10 * 60_000);
  assertProblem(await signIn(service, { code: late }), "key_invalid");
  const fresh = consoleLinks.create(keyId);
  service.clock.advance(10 * 60_000 - 1);
  assert.equal((await signIn(service, { code: fresh })).status, 200);
  await revokeKey(control, keyId, service.clock.now());
  assertProblem(await signIn(service, { code: revoked }), "key_invalid");
  assertProblem(await signIn(service, { code: consoleLinks.create(keyId) }), "key_invalid");
});

test("of a key's sessions the latest hundred stay", async (t) => {
  const { service, accountId } = await startSample(t);
  const key = await service.key(accountId);
  const path = `/console/accounts/${accountId}/session`;
  const ask = async (cookie: string) =>
    (await service.request("GET", path, { headers: { ...fromConsole, cookie } })).status;
  const pairs: string[] = [];
  for (let count = 0; count <= 100; count += 1) {
    service.clock.advance(1);
    pairs.push(cookieOf(await signIn(service, { key })).pair);
  }
  const [first = "", second = ""] = pairs;
  assert.deepEqual([await ask(first), await ask(second)], [401, 200]);
});
