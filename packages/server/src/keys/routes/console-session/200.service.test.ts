import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ConsolePage,
  cookieOf,
  fromConsole,
  type SignedIn,
} from "@sightline/test-kit/console-page.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

test("a page reads its session, and renews it for seven days at most", async (t) => {
  const { service, accountId } = await startSample(t);
  const page = await ConsolePage.open(service, accountId);
  const startMs = service.clock.now();
  const current = await page.request("GET", "/session");
  assert.equal(current.status, 200);
  assert.deepEqual(current.json(), page.signedIn.json());
  assert.equal(current.headers["set-cookie"], undefined);
  assert.equal(current.headers["cache-control"], "no-store");

  for (let hours = 11; hours < 7 * 24; hours += 11) {
    service.clock.advance(11 * hourMs);
    const renewed = await page.request("POST", "/session");
    const endMs = Math.min(service.clock.now() + 12 * hourMs, startMs + 7 * dayMs);
    assert.deepEqual(renewed.json(), {
      account: { id: accountId, name: "Acme" },
      scopes: ["read"],
      expiresAt: new Date(endMs).toISOString(),
    });
    const { pair, attributes } = cookieOf(renewed);
    assert.equal(pair, page.cookie);
    assert.equal(attributes[1], `Max-Age=${(endMs - service.clock.now()) / 1_000}`);
  }
  service.clock.advance(startMs + 7 * dayMs - service.clock.now() - 1);
  assert.equal((await page.request("GET", "/session")).status, 200);
  service.clock.advance(1);
  assertProblem(await page.request("GET", "/session"), "session_invalid");
  assertProblem(await page.request("POST", "/session"), "session_invalid");
});

test("signing out ends the session, also for a copy of the cookie", async (t) => {
  const { service, accountId } = await startSample(t);
  const page = await ConsolePage.open(service, accountId);
  const other = await ConsolePage.open(service, accountId);
  const ended = await page.request("DELETE", "/session");
  assert.deepEqual([ended.status, ended.body], [200, "{}"]);
  assert.deepEqual(cookieOf(ended), {
    pair: `sightline-${accountId}=`,
    attributes: [
      ...[`Path=/console/accounts/${accountId}/`, "Max-Age=0", "HttpOnly", "SameSite=Strict"],
    ],
  });
  for (const method of ["GET", "POST"] as const) {
    assertProblem(await page.request(method, "/session"), "session_invalid");
  }
  assertProblem(await page.request("GET", "/v1/workspace"), "session_invalid");
  assert.equal((await other.request("GET", "/session")).status, 200);
  assert.equal((await page.request("DELETE", "/session")).status, 200);
});

test("a cookie that another service of the host set does not sign out", async (t) => {
  const { service, accountId } = await startSample(t);
  const page = await ConsolePage.open(service, accountId);
  const planted = `sightline-${accountId}=planted; `;
  const cookie = `${planted}${page.cookie}; ${planted}`;
  for (const [method, path] of [
    ["GET", "/session"],
    ["POST", "/session"],
    ["GET", "/v1/workspace"],
    ["DELETE", "/session"],
  ] as const) {
    assert.equal((await page.request(method, path, { cookie })).status, 200, path);
  }
  assertProblem(await page.request("GET", "/session"), "session_invalid");
});

test("the API through the cookie is the API", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const page = await ConsolePage.open(service, accountId, ["read", "manage", "import"]);
  const question = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });
  const path = "/v1/analytics/brands/mentions";
  const bearer = await service.post(path, { token, body: question });
  const cookie = await page.request("POST", path, { body: question });
  assert.equal(bearer.status, 200);
  assert.deepEqual([cookie.status, cookie.body], [200, bearer.body]);

  const authorization = { authorization: `Bearer ${token}` };
  const workspace = await service.request("GET", "/v1/workspace", { headers: authorization });
  assert.equal((await page.request("GET", "/v1/workspace")).body, workspace.body);
  const keys = await page.request("GET", "/v1/keys");
  assert.equal(keys.json<{ keys: readonly object[] }>().keys.length, 2);
  const line = `${JSON.stringify({
    promptId: "11111111-0000-4000-8000-000000000001",
    provider: "OPENAI",
    answeredAt: "2026-01-06T08:00:00Z",
    text: "Acme.",
  })}\n`;
  const imported = await page.request("POST", "/v1/answers", {
    body: line,
    "content-type": "application/x-ndjson",
  });
  assert.equal(imported.json<{ accepted: number }>().accepted, 1);
  const file = JSON.stringify({ account: { id: accountId, name: "Acme" }, brand: { name: "A" } });
  const applied = await page.request("PUT", "/v1/workspace?dryRun=true", { body: file });
  assert.equal(applied.status, 200, applied.body);
});

test("the cookie opens one account, at its address alone", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const other = "cccccccc-0000-4000-8000-000000000009";
  await service.apply({ account: { id: other, name: "Other" }, brand: { name: "Other" } });
  const [page, second] = [
    await ConsolePage.open(service, accountId),
    await ConsolePage.open(service, other),
  ];
  const both = `${page.cookie}; ${second.cookie}`;
  for (const each of [page, second]) {
    const reply = await each.request("GET", "/session", { cookie: both });
    assert.equal(reply.json<SignedIn>().account.id, each.accountId);
  }
  const value = page.cookie.split("=")[1] ?? "";
  const foreign = { cookie: `sightline-${other}=${value}` };
  for (const path of ["/session", "/v1/workspace"]) {
    assertProblem(await second.request("GET", path, foreign), "session_invalid");
    assertProblem(await second.request("GET", path, { cookie: page.cookie }), "session_required");
  }
  const headers = { ...fromConsole, cookie: both };
  for (const path of ["/v1/workspace", "/v1/keys", "/v1/imports"]) {
    assertProblem(await service.request("GET", path, { headers }), "session_required");
    const asBearer = { authorization: `Bearer ${value}` };
    assertProblem(await service.request("GET", path, { headers: asBearer }), "session_invalid");
  }
  const bearer = { cookie: "", authorization: `Bearer ${token}` };
  assertProblem(await page.request("GET", "/v1/workspace", bearer), "session_required");
  assertProblem(await page.request("GET", "/v1/auth/accesskey/exchange"), "not_found");
});
