import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";

const path = "/v1/analytics/brands/mentions";
const body = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });

async function listening(t: Parameters<typeof startSample>[0]) {
  const { service, token, accountId } = await startSample(t);
  const url = await service.listen();
  const post = (target: string, fields: readonly string[], sent = body) => {
    const head = [
      `POST ${target} HTTP/1.1`,
      ...["Host: a", "Connection: close", `Content-Length: ${sent.length}`],
      ...fields,
    ];
    return rawReply(url, `${head.join("\r\n")}\r\n\r\n${sent}`);
  };
  return { service, accountId, url, post, session: `Authorization: Bearer ${token}` };
}

const json = "Content-Type: application/json";

test("a field that counts once and comes twice is refused, wherever it is sent", async (t) => {
  const { service, accountId, post, session } = await listening(t);
  assert.equal((await post(path, [session, json])).status, 200);
  const key = `Authorization: Bearer ${await service.key(accountId)}`;
  const exchange = "/v1/auth/accesskey/exchange";
  assert.equal((await post(exchange, [key])).status, 200);
  for (const [target, fields, detail] of [
    [path, [session, session, json], "Send `Authorization` once."],
    [path, ["authorization: Bearer a", session, json], "Send `Authorization` once."],
    [path, [session, json, json], "Send `Content-Type` once."],
    [path, [session, json, "CONTENT-TYPE: text/plain", json], "Send `Content-Type` once."],
    [exchange, [key, key], "Send `Authorization` once."],
    ["/none", [session, session], "Send `Authorization` once."],
  ] as const) {
    const problem = assertProblem(await post(target, fields), "malformed_http");
    assert.ok(problem.detail.includes(detail), problem.detail);
  }
});

test("a body in a content coding is refused, after its type and before its size", async (t) => {
  const { post, session } = await listening(t);
  for (const coding of ["gzip", "br", "deflate", "x-gzip", "zstd", "gzip, identity", "none"]) {
    for (const target of [path, "/mcp"]) {
      const reply = await post(target, [session, json, `Content-Encoding: ${coding}`]);
      const { detail } = assertProblem(reply, "unsupported_media_type");
      assert.ok(detail.includes(JSON.stringify(coding)), detail);
      assert.equal(reply.headers["accept-encoding"], "identity");
    }
  }
  for (const coding of ["identity", "Identity", ""]) {
    assert.equal((await post(path, [session, json, `Content-Encoding: ${coding}`])).status, 200);
  }
  const large = " ".repeat(2_000_000);
  const type = "Content-Type: text/plain";
  const gzip = "Content-Encoding: gzip";
  const problem = assertProblem(await post(path, [type, gzip]), "unsupported_media_type");
  assert.match(problem.detail, /^Send the body as JSON/);
  assertProblem(await post(path, [json, gzip], large), "unsupported_media_type");
});

test("the body of an exchange is not looked at, nor is its coding", async (t) => {
  const { service, accountId, post } = await listening(t);
  const key = `Authorization: Bearer ${await service.key(accountId)}`;
  const reply = await post("/v1/auth/accesskey/exchange", [key, "Content-Encoding: gzip"]);
  assert.equal(reply.status, 200);
});

test("a transfer coding other than chunked is refused", async (t) => {
  const { url, session } = await listening(t);
  const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const send = (field: string) => {
    const fields = ["Host: a", "Connection: close", json, session, field];
    return rawReply(url, `POST ${path} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n${chunked}`);
  };
  for (const coding of ["chunked", "Chunked", " chunked "]) {
    assert.equal((await send(`Transfer-Encoding: ${coding}`)).status, 200, coding);
  }
  for (const coding of ["gzip, chunked", "identity, chunked", "deflate,gzip,chunked"]) {
    assertProblem(await send(`Transfer-Encoding: ${coding}`), "malformed_http");
  }
  const twice = "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked";
  assertProblem(await send(twice), "malformed_http");
});
