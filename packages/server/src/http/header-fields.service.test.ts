import assert from "node:assert/strict";
import { test } from "node:test";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { operationsOf } from "../server.ts";

const routes = operationsOf(false);

const path = "/v1/analytics/brands/mentions";
const question = { interval: "daily", filters: { timeRange: sampleRange } };

test("every reply forbids browsers to guess its type", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const url = await service.listen();
  const key = await service.key(accountId);
  const raw = (head: string) => rawReply(url, `${head}\r\nConnection: close\r\n\r\n`);
  const ask = [
    ...routes.map((route) => () => service.request(route.method, route.path)),
    () => service.post(path, { token, body: question }),
    () => service.post(path, { token, body: "{" }),
    () => service.post("/v1/auth/accesskey/exchange", { token: key }),
    () => service.post("/mcp", { token, body: {} }),
    () => service.request("GET", "/none"),
    () => service.request("PUT", path),
    () => service.request("GET", "/%zz"),
    () => service.request("GET", `/docs/errors/${"a".repeat(300)}`),
    () => raw("GET /healthz HTTP/1.1"),
    () => raw("GET /healthz HTTP/1.1\r\nHost: a"),
    () => raw("CONNECT x:443 HTTP/1.1\r\nHost: a"),
    () => raw(`GET /healthz HTTP/1.1\r\nHost: a\r\nField: ${"a".repeat(20_000)}`),
    () => rawReply(url, "HELLO\r\n\r\n"),
  ];
  for (const each of ask) {
    const { status, headers, body } = await each();
    assert.equal(headers["x-content-type-options"], "nosniff", `${status} ${body.slice(0, 200)}`);
  }
});

test("no page may be framed, sends a form or takes another base", async (t) => {
  const { service } = await startSample(t);
  const headers = { accept: "text/html" };
  for (const page of [
    "/docs",
    "/docs/guide/limits",
    "/docs/errors/not_found",
    "/docs/metrics/rank",
  ]) {
    const reply = await service.request("GET", page, { headers });
    assert.equal(reply.status, 200, page);
    assert.equal(reply.headers["x-frame-options"], "DENY", page);
    const policy = String(reply.headers["content-security-policy"]).split("; ");
    for (const part of ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]) {
      assert.ok(policy.includes(part), `${page} lacks ${part}`);
    }
  }
});
