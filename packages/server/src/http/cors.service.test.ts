import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode } from "@sightline/contract";
import { takeFactsAway } from "@sightline/test-kit/engines/take-facts-away.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { type TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import { operationsOf } from "../server.ts";

const routes = operationsOf(false);

const app = "https://app.example.com";
const corsOrigins = `${app},http://localhost:5173`;
const path = "/v1/analytics/brands/mentions";
const exchangePath = "/v1/auth/accesskey/exchange";
const year = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };
const short = { interval: "daily", filters: { timeRange: sampleRange } };
const long = { interval: "daily", filters: { timeRange: year } };
const fromApp = { origin: app };
const asks = { "access-control-request-method": "POST" };

const exposed = "Date, ETag, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
const fields = {
  "access-control-allow-origin": app,
  "access-control-expose-headers": exposed,
  vary: "Origin",
};
const onlyVary = { vary: "Origin" };

/** What a reply tells browsers and caches about origins. */
function corsOf({ headers }: Pick<TestReply, "headers">): object {
  const names = Object.keys(headers).filter((name) => /^(access-control-.*|vary)$/.test(name));
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

/** The addresses of the API and of its document. */
const openPaths = routes
  .map((route) => route.path)
  .filter((each) => each.startsWith("/v1/") || each === "/openapi.json");

test("a preflight of each operation is answered, without a session", async (t) => {
  const service = await TestService.start({ settings: { corsOrigins } });
  t.after(() => service.close());
  assert.equal(openPaths.length, 62);
  for (const each of [...openPaths, "/v1/none"]) {
    for (const origin of [app, "http://localhost:5173"]) {
      const reply = await service.request("OPTIONS", each, { headers: { origin, ...asks } });
      assert.deepEqual([reply.status, reply.body], [204, ""], each);
      assert.deepEqual(corsOf(reply), {
        ...fields,
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
        "access-control-allow-headers": "Authorization, Content-Type, If-Match",
        "access-control-max-age": "7200",
      });
      assert.match(String(reply.headers["x-request-id"]), /^req_/);
    }
  }
});

test("every route that takes a session or a key is open to the origins", () => {
  const closed = routes.filter(({ kind, path: each }) => {
    return kind !== "open" && kind !== "shared" && !openPaths.includes(each);
  });
  assert.deepEqual(closed, []);
});

test("preflights do not count for a key's limits, nor as failed exchanges", async (t) => {
  const { service, token } = await startSample(t, { corsOrigins, rateLimit: "1/s" });
  // The exchange was the first of a burst of two calls.
  const headers = { ...fromApp, ...asks, authorization: `Bearer ${token}` };
  for (const each of [path, exchangePath]) {
    for (let round = 0; round < 20; round++) {
      const reply = await service.request("OPTIONS", each, { headers });
      assert.equal(reply.status, 204);
      assert.equal(reply.headers["ratelimit"], undefined);
    }
  }
  assert.equal((await service.post(path, { token, body: short })).status, 200);
  assertProblem(await service.post(exchangePath, { token: "wrong" }), "key_invalid");
});

test("OPTIONS that is not a preflight is refused as ever, and a page can read that", async (t) => {
  const service = await TestService.start({ settings: { corsOrigins } });
  t.after(() => service.close());
  const reply = await service.request("OPTIONS", path, { headers: fromApp });
  assertProblem(reply, "method_not_allowed");
  assert.deepEqual([reply.headers["allow"], corsOf(reply)], ["POST", fields]);
  // A request that does not say its host is not understood, whatever it asks.
  const url = await service.listen();
  const end = `Origin: ${app}\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n`;
  assertProblem(await rawReply(url, `OPTIONS ${path} HTTP/1.1\r\n${end}`), "malformed_http");
});

test("a page of an allowed origin can read replies, plain, compressed and kept", async (t) => {
  const { service, token } = await startSample(t, { corsOrigins });
  const ask = (body: object, headers: Readonly<Record<string, string>>) =>
    service.post(path, { token, body, headers });
  assert.deepEqual(corsOf(await ask(short, fromApp)), fields);
  const both = { ...fields, vary: "Accept-Encoding, Origin" };
  // Each coding is made first and then kept; other origins are given the kept one as well.
  for (const encoding of ["identity", "gzip"]) {
    for (let round = 0; round < 2; round++) {
      const reply = await ask(long, { ...fromApp, "accept-encoding": encoding });
      assert.equal(reply.headers["content-encoding"], encoding === "gzip" ? encoding : undefined);
      assert.deepEqual(corsOf(reply), both);
      const local = { origin: "http://localhost:5173", "accept-encoding": encoding };
      const allowOrigin = { "access-control-allow-origin": local.origin };
      assert.deepEqual(corsOf(await ask(long, local)), { ...both, ...allowOrigin });
      const foreign = { origin: "https://other.example", "accept-encoding": encoding };
      assert.deepEqual(corsOf(await ask(long, foreign)), { vary: both.vary });
    }
  }
  for (const each of ["/v1/workspace", "/openapi.json"]) {
    const authorization = `Bearer ${token}`;
    const reply = await service.request("GET", each, { headers: { ...fromApp, authorization } });
    assert.equal(reply.status, 200, each);
    const { vary, ...rest } = { vary: "", ...corsOf(reply) };
    assert.match(vary, /(^|, )Origin$/);
    assert.deepEqual({ ...rest, vary: "Origin" }, fields);
  }
});

test("refusals of every kind can be read as well", async (t) => {
  const { service, token, accountId } = await startSample(t, { corsOrigins, rateLimit: "2/s" });
  const headers = fromApp;
  const json = { ...fromApp, "content-type": "application/json" };
  const post = (body: string | object, session?: string) =>
    service.post(path, {
      body,
      headers: json,
      ...(session === undefined ? {} : { token: session }),
    });
  const url = await service.listen();
  const refusals: readonly (readonly [ErrorCode, () => Promise<Answer>])[] = [
    ["not_found", () => service.request("GET", "/v1/none", { headers })],
    ["not_found", () => rawReply(url, `GET /v1/%zz HTTP/1.1\r\nHost: a\r\n${rawEnd}`)],
    ["method_not_allowed", () => service.request("GET", path, { headers })],
    ["malformed_http", () => rawReply(url, `GET ${path} HTTP/1.1\r\n${rawEnd}`)],
    ["unsupported_media_type", () => service.request("POST", path, { headers })],
    ["payload_too_large", () => post(" ".repeat(3_000_000))],
    ["session_required", () => post({})],
    ["session_invalid", () => post({}, "forged")],
    ["key_invalid", () => service.post(exchangePath, { headers })],
    ["malformed_json", () => post("{", token)],
    ["invalid_request", () => post({}, token)],
    ["session_required", () => service.request("GET", "/v1/workspace", { headers })],
  ];
  for (const [code, refusal] of refusals) {
    const reply = await refusal();
    assertProblem(reply, code);
    assert.deepEqual(corsOf(reply), fields, code);
  }
  await post({}, token);
  const limited = await post(short, token);
  assertProblem(limited, "rate_limited");
  assert.deepEqual([limited.headers["retry-after"], corsOf(limited)], ["1", fields]);
  service.clock.advance(10_000);
  const renewed = await service.session(accountId);
  await takeFactsAway(service, accountId);
  const early = await post(short, renewed);
  assertProblem(early, "facts_not_ready");
  assert.deepEqual(corsOf(early), fields);
  await service.services.control.close();
  const failed = await post(short, renewed);
  assertProblem(failed, "internal_error");
  assert.deepEqual(corsOf(failed), fields);
});

test("a foreign origin is answered as without one, but for Vary", async (t) => {
  const { service, token } = await startSample(t, { corsOrigins });
  const expected = await service.post(path, { token, body: short });
  assert.deepEqual([expected.status, corsOf(expected)], [200, onlyVary]);
  for (const origin of foreignOrigins) {
    const headers = { origin };
    const reply = await service.post(path, { token, body: short, headers });
    assert.deepEqual([reply.status, reply.body, corsOf(reply)], [200, expected.body, onlyVary]);
    const refused = await service.post(path, { token: "forged", body: short, headers });
    assertProblem(refused, "session_invalid");
    assert.deepEqual(corsOf(refused), onlyVary);
    const preflight = await service.request("OPTIONS", path, { headers: { ...headers, ...asks } });
    assertProblem(preflight, "method_not_allowed");
    assert.deepEqual([preflight.headers["allow"], corsOf(preflight)], ["POST", onlyVary]);
  }
});

test("other addresses are closed to pages, whatever their origin", async (t) => {
  const service = await TestService.start({ settings: { corsOrigins } });
  t.after(() => service.close());
  const others = operationsOf(true).map((route) => route.path.replace(":code", "not_found"));
  for (const each of [...others.filter((one) => !openPaths.includes(one)), "/mcp", "/v1", "/"]) {
    for (const method of ["GET", "OPTIONS"] as const) {
      const reply = await service.request(method, each, { headers: { ...fromApp, ...asks } });
      assert.notEqual(reply.status, 204, each);
      assert.doesNotMatch(JSON.stringify(corsOf(reply)), /access-control|Origin/, each);
    }
  }
});

test("without the setting there is no field, and no preflight", async () => {
  const { service, token } = await sharedSample();
  const reply = await service.post(path, { token, body: short, headers: fromApp });
  assert.deepEqual([reply.status, corsOf(reply)], [200, {}]);
  const preflight = await service.request("OPTIONS", path, { headers: { ...fromApp, ...asks } });
  assertProblem(preflight, "method_not_allowed");
  assert.deepEqual(corsOf(preflight), {});
});

type Answer = Pick<TestReply, "status" | "headers" | "body">;

const rawEnd = `Origin: ${app}\r\nConnection: close\r\n\r\n`;

/** Near misses of an allowed origin. */
const foreignOrigins = [
  "https://other.example",
  "http://app.example.com",
  "https://app.example.com:8443",
  "https://app.example.com/",
  "https://App.example.com",
  "https://app.example.com.other.example",
  "https://notapp.example.com",
  `${app}, ${app}`,
  corsOrigins,
  "null",
  "*",
  "",
] as const;
