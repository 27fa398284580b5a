import assert from "node:assert/strict";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { type RawReply, rawRequest } from "@sightline/test-kit/requests/raw-request.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { newStaticKey } from "../static-key.ts";

const exchangePath = "/v1/auth/accesskey/exchange";

/** Requests to exchange keys, to be sent over one connection in one write. */
function exchanges(keys: readonly string[]): string {
  const heads = keys.map(
    (key, place) =>
      `POST ${exchangePath} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Length: 0\r\n${place === keys.length - 1 ? "Connection: close\r\n" : ""}\r\n`,
  );
  return heads.join("");
}

const unknownKeys = (count: number) => Array.from({ length: count }, () => newStaticKey().key);
const countOf = (replies: readonly RawReply[], status: number) =>
  replies.filter((reply) => reply.status === status).length;

test("pipelined guesses get no more lookups than others", async (t) => {
  const { service } = await startSample(t);
  const url = await service.listen();
  const first = await rawRequest(url, exchanges(unknownKeys(500)));
  assert.deepEqual([countOf(first, 401), countOf(first, 429)], [10, 490]);
  for (let round = 0; round < 3; round++) {
    service.clock.advance(6_000); // one more a pause
    const more = await rawRequest(url, exchanges(unknownKeys(100)));
    assert.deepEqual([countOf(more, 401), countOf(more, 429)], [1, 99]);
  }
});

test("guesses over many connections or through /mcp get no more lookups", async (t) => {
  const { service } = await startSample(t);
  const url = await service.listen();
  const replies = await Promise.all(
    unknownKeys(40).map((key) => rawRequest(url, exchanges([key]))),
  );
  assert.deepEqual([countOf(replies.flat(), 401), countOf(replies.flat(), 429)], [10, 30]);
  service.clock.advance(60_000);
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const accept = "application/json, text/event-stream";
  const calls = await Promise.all(
    unknownKeys(40).map((token) => service.post("/mcp", { token, body, headers: { accept } })),
  );
  const statuses = calls.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...new Array(10).fill(401), ...new Array(30).fill(429)]);
});

test("valid keys do not count as guesses, however many are concurrent", async (t) => {
  const { service, accountId } = await startSample(t);
  const url = await service.listen();
  const key = await service.key(accountId);
  const keys = new Array<string>(100).fill(key);
  assert.equal(countOf(await rawRequest(url, exchanges(keys)), 200), 100);
  const guesses = [...unknownKeys(9), ...keys.slice(0, 20)];
  const mixed = await rawRequest(url, exchanges(guesses));
  assert.deepEqual([countOf(mixed, 401), countOf(mixed, 200)], [9, 20]);
});

test("a request without a key is not a guess", async (t) => {
  const { service, accountId } = await startSample(t);
  const key = await service.key(accountId);
  const shown = [{}, { authorization: "" }, { authorization: "Bearer" }, { authorization: key }];
  for (let round = 0; round < 10; round++) {
    for (const headers of shown) {
      assertProblem(await service.post(exchangePath, { headers }), "key_invalid");
    }
  }
  assert.equal((await service.post(exchangePath, { token: key })).status, 200);
});

test("a failed lookup is not a guess", async (t) => {
  const { service } = await startSample(t);
  await service.services.control.close();
  for (let round = 0; round < 12; round++) {
    const reply = await service.post(exchangePath, { token: newStaticKey().key });
    assertProblem(reply, "internal_error");
  }
});
