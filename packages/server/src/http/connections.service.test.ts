import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { hangUp } from "@sightline/test-kit/requests/hang-up.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { type RawReply, rawReply, rawRequest } from "@sightline/test-kit/requests/raw-request.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { workspaceBytesMax } from "../accounts/workspace-file/parse-yaml.ts";
import { serviceApp } from "../server.ts";
import { bodyBytesMax, droppedBytesMax } from "./problems.ts";
import { bodyWithinMs } from "./slow-bodies.ts";

const path = "/v1/analytics/brands/mentions";
const host = "Host: sightline\r\n";
const close = "Connection: close\r\n";
const chunked = "Transfer-Encoding: chunked\r\n";
const post = `POST ${path} HTTP/1.1\r\n${host}`;
const chunky = "Transfer-Encoding: chunky\r\n";
const json = "Content-Type: application/json\r\n";

async function listening(t: { readonly after: (hook: () => Promise<void>) => void }) {
  const service = await TestService.start();
  t.after(() => service.close());
  return { service, url: await service.listen() };
}

test("what the HTTP parser refuses is a problem too", async (t) => {
  const { url } = await listening(t);
  const malformed: Readonly<Record<string, string>> = {
    "no HTTP at all": "HELLO\r\n\r\n",
    "TLS on a plain port": "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    "another version": `GET /healthz HTTP/9.9\r\n${host}\r\n`,
    "HTTP/2 without being asked": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "a method that is none": `SIGHT /healthz HTTP/1.1\r\n${host}\r\n`,
    "a target without a slash": `GET healthz HTTP/1.1\r\n${host}\r\n`,
    "a byte outside ASCII in the target": `GET /heal\x80thz HTTP/1.1\r\n${host}\r\n`,
    "a field without a colon": `GET /healthz HTTP/1.1\r\n${host}Field\r\n\r\n`,
    "a folded field": `GET /healthz HTTP/1.1\r\n${host}Field: a\r\n b\r\n\r\n`,
    "a length and chunks": `${post}Content-Length: 3\r\n${chunked}\r\n0\r\n\r\n`,
    "two lengths": `${post}Content-Length: 3\r\nContent-Length: 4\r\n\r\n`,
    "a length that is not a number": `${post}Content-Length: 0x3\r\n\r\n`,
    "a length below nothing": `${post}Content-Length: -1\r\n\r\n`,
    "an encoding that is none": `${post}${chunky}\r\n`,
    "an encoding that is none, at no address": `POST /a HTTP/1.1\r\n${host}${chunky}\r\n`,
    "an encoding that is none, of JSON": `${post}${json}${chunky}\r\n`,
    "a chunk without a size": `${post}${json}${chunked}\r\nzz\r\n`,
    "no host": "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    "two hosts": `GET /healthz HTTP/1.1\r\n${host}${host}${close}\r\n`,
  };
  for (const [what, bytes] of Object.entries(malformed)) {
    await t.test(what, async () => {
      assertProblem(await rawReply(url, Buffer.from(bytes, "latin1")), "malformed_http");
    });
  }
});

test("HTTP/1.0 may leave the host out", async (t) => {
  const { url } = await listening(t);
  const reply = await rawReply(url, "GET /healthz HTTP/1.0\r\n\r\n");
  assert.deepEqual([reply.status, reply.body], [200, '{"status":"alive"}']);
});

test("an expectation other than 100-continue is ignored", async (t) => {
  const { url } = await listening(t);
  const head = `GET /healthz HTTP/1.1\r\n${host}${close}Expect: tea\r\n\r\n`;
  assert.equal((await rawReply(url, head)).status, 200);
});

test("a client that waits for 100 Continue is told to go on", async (t) => {
  const { service, token } = await startSample(t);
  const url = await service.listen();
  const body = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });
  const head = `${post}${json}${close}Authorization: Bearer ${token}\r\n`;
  const replies = await rawRequest(
    url,
    `${head}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  assert.deepEqual(
    replies.map(({ status }) => status),
    [100, 200],
  );
});

test("an upgrade to another protocol is not made", async (t) => {
  const { url } = await listening(t);
  for (const protocol of ["websocket", "h2c", "TLS/1.2, HTTP/1.1"]) {
    const head = `Connection: Upgrade, close\r\nUpgrade: ${protocol}\r\n`;
    const reply = await rawReply(url, `GET /healthz HTTP/1.1\r\n${host}${head}\r\n`);
    assert.equal(reply.status, 200, protocol);
  }
});

test("CONNECT gets 405 with an id and a line of the log", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  for (const target of ["x:443", "127.0.0.1:22", "[::1]:80"]) {
    const reply = await rawReply(url, `CONNECT ${target} HTTP/1.1\r\n${host}\r\n`);
    assertProblem(reply, "method_not_allowed");
    assert.equal(reply.headers["allow"], "GET, HEAD, POST, PUT, DELETE");
    assert.equal(reply.headers["connection"], "close");
    const requestId = reply.headers["x-request-id"];
    const [line, ...more] = lines.filter((each) => each["requestId"] === requestId);
    const { time, ...logged } = { ...line };
    const expected = { level: 30, requestId, method: "CONNECT", route: "none", status: 405 };
    assert.deepEqual([typeof time, logged, more], ["number", { ...expected, msg: "request" }, []]);
  }
  assert.equal((await rawReply(url, `GET /healthz HTTP/1.1\r\n${host}${close}\r\n`)).status, 200);
});

test("a client that resets a CONNECT is not a failure of the service", async (t) => {
  const { url } = await listening(t);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(`CONNECT x:443 HTTP/1.1\r\n${host}\r\n`, () => socket.resetAndDestroy());
  await once(socket, "close");
  assert.equal((await rawReply(url, `GET /healthz HTTP/1.1\r\n${host}${close}\r\n`)).status, 200);
});

test("16 KiB of header fields are taken, more are not", async (t) => {
  const { url } = await listening(t);
  const ask = (bytes: number) =>
    rawReply(url, `GET /healthz HTTP/1.1\r\n${host}${close}Field: ${"a".repeat(bytes)}\r\n\r\n`);
  assert.equal((await ask(16_000)).status, 200);
  assertProblem(await ask(16_500), "headers_too_large");
  assertProblem(await ask(200_000), "headers_too_large");
});

test("a body that is too large is refused by its length before it comes", async (t) => {
  const { url } = await listening(t);
  const length = `Content-Length: ${droppedBytesMax + 1}\r\n`;
  const reply = await rawReply(url, `${post}${json}${length}\r\n`);
  assert.match(assertProblem(reply, "payload_too_large").detail, /1048576/);
  assert.equal(reply.headers["connection"], "close");
});

test("the rest of a body that is too large is dropped, and its connection stays", async (t) => {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["manage"]);
  const url = await service.listen();
  const put = `PUT /v1/workspace HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n`;
  const sizes = [
    [post, bodyBytesMax + 1],
    [put, workspaceBytesMax + 1],
  ] as const;
  for (const [head, size] of sizes) {
    const body = `${json}Content-Length: ${size}\r\n\r\n${" ".repeat(size)}`;
    const last = `GET /healthz HTTP/1.1\r\n${host}${close}\r\n`;
    const [refused, next] = await rawRequest(url, `${head}${body}${last}`);
    assert.ok(refused !== undefined && next !== undefined);
    assertProblem(refused, "payload_too_large");
    assert.notEqual(refused.headers["connection"], "close");
    assert.equal(next.status, 200);
    const asked = `${head}${json}${close}Content-Length: ${size}\r\n\r\n`;
    const closed = await rawReply(url, asked);
    assertProblem(closed, "payload_too_large");
    assert.equal(closed.headers["connection"], "close", "as the client asked");
  }
});

test("a body that is too large is refused as it comes, when it has no length", async (t) => {
  const { url } = await listening(t);
  const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`.repeat(bodyBytesMax / 0x10000);
  const head = `${post}${json}Transfer-Encoding: chunked\r\n\r\n`;
  assertProblem(await rawReply(url, `${head}${chunk}1\r\na\r\n`), "payload_too_large");
});

test("a head that does not come in time gets 408, and so does a body", async (t) => {
  const { service, url } = await listening(t);
  // Node looks every second for requests that are too slow.
  service.app.server.headersTimeout = 1;
  assertProblem(await rawReply(url, "GET /healthz HTTP/1.1\r\nHost: a"), "request_timeout");
  service.app.server.headersTimeout = 0;
  const head = `${post}${json}Content-Length: 9\r\n\r\n{`;
  const come = once(service.app.server, "request");
  const reply = rawReply(url, head);
  await come;
  service.clock.advance(bodyWithinMs);
  assertProblem(await reply, "request_timeout");
});

test("a refusal leaves the connection good for the next request", async (t) => {
  const { url } = await listening(t);
  const filled = (fields: string, body: string) =>
    `${post}${fields}Content-Length: ${body.length}\r\n\r\n${body}`;
  const refused = [
    `GET /none HTTP/1.1\r\n${host}\r\n`,
    `PUT ${path} HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`,
    filled("Content-Type: text/plain\r\n", "GET / HTTP/1.1"),
    filled(json, "{}"),
    filled(`${json}Authorization: Bearer forged\r\n`, "{}"),
  ];
  const last = `GET /healthz HTTP/1.1\r\n${host}${close}\r\n`;
  const replies = await rawRequest(url, `${refused.join("")}${last}`);
  assert.deepEqual(
    replies.map(({ status }) => status),
    [404, 405, 415, 401, 401, 200],
  );
  assert.equal(new Set(replies.map(({ headers }) => headers["x-request-id"])).size, 6);
});

test("pipelined requests on one connection are answered in order", async (t) => {
  const { service, token } = await startSample(t);
  const url = await service.listen();
  const ask = (interval: string, field: string) => {
    const body = JSON.stringify({ interval, filters: { timeRange: sampleRange } });
    const length = `Content-Length: ${body.length}\r\n`;
    const fields = `${host}${json}${length}Authorization: Bearer ${token}\r\n${field}`;
    return `POST ${path} HTTP/1.1\r\n${fields}\r\n${body}`;
  };
  const intervals = ["daily", "weekly", "monthly", "daily"];
  const bytes = intervals.map((each, i) => ask(each, i === 3 ? close : "")).join("");
  const replies = await rawRequest(url, bytes);
  assert.deepEqual(replies.map(intervalOf), intervals);
});

function intervalOf({ body }: RawReply): string {
  return (JSON.parse(body) as { readonly interval: string }).interval;
}

test("a client that hangs up within its body is not a failure of the service", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const bytes = `${post}${json}Content-Length: 99\r\n\r\n{`;
  const { url, lines } = await hangUp(t, service.services, { bytes, at: "request" });
  const reply = await rawReply(url, `GET /healthz HTTP/1.1\r\n${host}${close}\r\n`);
  assert.equal(reply.status, 200);
  assert.deepEqual(
    lines.filter(({ level }) => Number(level) >= 40),
    [],
  );
  const statuses = lines.flatMap(({ status }) => (status === undefined ? [] : [Number(status)]));
  assert.ok(statuses.every((status) => status < 500));
});
