import assert from "node:assert/strict";
import { test } from "node:test";
import type { ErrorCode, Problem } from "@sightline/contract";
import { takeFactsAway } from "@sightline/test-kit/engines/take-facts-away.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { serviceApp } from "../server.ts";

const path = "/v1/analytics/brands/mentions";
const json = { "content-type": "application/json" };

test("every failure is a problem that the served document describes", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const url = await service.listen();
  const schemas = await ServedSchemas.of(service);
  const { headersTimeout } = service.app.server;
  const failures: readonly (readonly [ErrorCode, () => Promise<Reply>])[] = [
    ["not_found", () => service.request("GET", "/none")],
    ["method_not_allowed", () => service.request("GET", path)],
    ["unsupported_media_type", () => service.request("POST", path)],
    ["payload_too_large", () => service.post(path, { body: " ".repeat(3_000_000) })],
    ["session_required", () => service.post(path, { body: {} })],
    ["session_invalid", () => service.post(path, { body: {}, token: "forged" })],
    ["key_invalid", () => service.post("/v1/auth/accesskey/exchange")],
    ["malformed_json", () => service.post(path, { body: "{", headers: json, token })],
    ["invalid_request", () => service.post(path, { body: {}, token })],
    ["malformed_http", () => rawReply(url, "HELLO\r\n\r\n")],
    ["headers_too_large", () => rawReply(url, `GET / HTTP/1.1\r\nA: ${"a".repeat(20_000)}`)],
    [
      "request_timeout",
      () => {
        service.app.server.headersTimeout = 1;
        return rawReply(url, "GET / HTTP/1.1");
      },
    ],
    [
      "facts_not_ready",
      async () => {
        service.app.server.headersTimeout = headersTimeout;
        await takeFactsAway(service, accountId);
        const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" };
        return service.post(path, { body: { interval: "daily", filters: { timeRange } }, token });
      },
    ],
    [
      "shutting_down",
      () => {
        service.services.lifecycle.stopping = true;
        return service.request("GET", "/readyz");
      },
    ],
    [
      "internal_error",
      async () => {
        await service.services.control.close();
        return service.post(path, { body: {}, token });
      },
    ],
  ];
  for (const [code, fail] of failures) {
    await t.test(code, async () => {
      const problem = assertProblem(await fail(), code);
      schemas.assertValid("ProblemDto", problem);
    });
  }
});

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

test("an internal failure keeps its reason to the log", async (t) => {
  const { service, token } = await startSample(t);
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  await service.services.control.close();
  const authorization = `Bearer ${token}`;
  const reply = await app.inject({
    method: "POST",
    url: path,
    headers: { ...json, authorization },
    payload: "{}",
  });
  const { requestId, ...shown } = reply.json<Problem>();
  assert.deepEqual(shown, {
    type: "/docs/errors/internal_error",
    title: "Internal server error",
    status: 500,
    code: "internal_error",
    detail: "The cause is in the service's log, under this requestId.",
  });
  const logged = lines.find(({ msg }) => msg === "request failed");
  assert.equal(logged?.["requestId"], requestId);
  assert.match(String(logged?.["cause"]), /\n {4}at /);
});

test("every reply has an id of its own, equal in field, body and log", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  const key = await service.key(accountId);
  const exchange = "/v1/auth/accesskey/exchange";
  const requests = [
    { method: "GET", url: "/healthz", headers: {} },
    { method: "GET", url: "/none", headers: {} },
    { method: "PUT", url: path, headers: {} },
    { method: "GET", url: "/%", headers: {} },
    { method: "GET", url: `/docs/errors/${"a".repeat(200)}`, headers: {} },
    { method: "POST", url: path, headers: {} },
    { method: "POST", url: path, headers: json },
    { method: "POST", url: path, headers: { ...json, authorization: `Bearer ${token}` } },
    { method: "POST", url: exchange, headers: { authorization: `Bearer ${key}` } },
    { method: "POST", url: exchange, headers: { "x-request-id": "mine", "request-id": "mine" } },
  ] as const;
  const ids: string[] = [];
  for (const request of requests) {
    const reply = await app.inject(request);
    const id = String(reply.headers["x-request-id"]);
    if (reply.statusCode >= 400) assert.equal(reply.json<Problem>().requestId, id);
    const [line, ...more] = lines.filter(({ requestId }) => requestId === id);
    assert.deepEqual(
      [line?.["status"], line?.["method"], line?.["msg"], more],
      [reply.statusCode, request.method, "request", []],
    );
    ids.push(id);
  }
  assert.equal(new Set(ids).size, requests.length);
  for (const id of ids) assert.match(id, /^req_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test("no key, token or body is logged, whatever becomes of the request", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const key = await service.key(accountId);
  for (const credential of [key, token, `${key}x`, `${token}x`]) {
    for (const target of [path, "/v1/auth/accesskey/exchange", `/none?token=${credential}`]) {
      const headers = { ...json, authorization: `Bearer ${credential}` };
      const payload = JSON.stringify({ note: credential });
      await app.inject({ method: "POST", url: target, headers, payload });
    }
    await rawReply(url, `GET / HTTP/1.1\r\nAuthorization: Bearer ${credential}\r\nbad\r\n\r\n`);
  }
  const secrets = [key.slice(20), token.split(".")[2] ?? ""];
  const log = JSON.stringify(lines);
  assert.equal(lines.length >= 16, true);
  for (const secret of secrets) assert.equal(log.includes(secret), false);
});
