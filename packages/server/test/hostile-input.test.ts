import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type HostileRequest, hostileRequests } from "./hostile-requests.ts";
import { oracleRuns } from "./oracle/runs.ts";
import { assertProblem } from "./problem-shape.ts";
import { rawReply } from "./raw-request.ts";
import { type AfterHook, startSample } from "./sample-account.ts";
import { TestService } from "./test-service.ts";
import { until } from "./until.ts";

/**
 * Promised are 50 ms, which the slowest misses by a few on a machine that others use. What costs
 * more than it should, such as a quadratic check, takes seconds.
 */
const replyMsMax = 500;
/** The best of so many tries counts: another process may have the machine in one of them. */
const tries = 8;
/** 20 MB in 300 rounds; so many of them fit into the suite. */
const rounds = oracleRuns(40).questions;
const windowsMax = 4;
const grownBytesMax = (20_000_000 * rounds) / 300;

async function listening(t: AfterHook) {
  const { service, token } = await startSample(t);
  const requests: readonly (readonly [string, HostileRequest])[] = Object.entries(
    hostileRequests(token),
  );
  return { url: await service.listen(), requests };
}

test("hostile input gets a 4xx soon, and the slowest is told", async (t) => {
  const { url, requests } = await listening(t);
  let slowest: readonly [number, string] = [0, ""];
  for (const [what, { bytes, code }] of requests) {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < tries; round++) {
      const started = performance.now();
      const reply = await rawReply(url, bytes);
      best = Math.min(best, performance.now() - started);
      assertProblem(reply, code);
      assert.ok(reply.status >= 400 && reply.status < 500, what);
      assert.ok(reply.body.length < 10_000, `${what}: a reply of ${reply.body.length} bytes`);
    }
    assert.ok(best <= replyMsMax, `${what}: ${best} ms`);
    if (best > slowest[0]) slowest = [best, what];
  }
  t.diagnostic(`${requests.length} requests; slowest: ${slowest[0].toFixed(1)} ms, ${slowest[1]}`);
});

test("hostile input leaves nothing in memory", async (t) => {
  const { url, requests } = await listening(t);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  // Garbage of one turn is collected in the next.
  const used = async () => {
    for (let turn = 0; turn < 6; turn++) {
      await new Promise(setImmediate);
      collect();
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const round = async () => {
    for (const [, { bytes }] of requests) await rawReply(url, bytes);
  };
  for (let warm = 0; warm < 3; warm++) await round();
  // What is collected, and when, makes megabytes of difference; what leaks grows every time.
  const growths: number[] = [];
  while (growths.length < windowsMax && !growths.some((grown) => grown < grownBytesMax)) {
    const before = await used();
    for (let count = 0; count < rounds; count++) await round();
    growths.push((await used()) - before);
  }
  t.diagnostic(`${rounds} rounds: ${growths} bytes`);
  assert.ok(Math.min(...growths) < grownBytesMax, `grew by ${growths} bytes`);
});

test("a client that sends a byte now and then gets 408 for its head and its body", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { server } = service.app;
  // What docs/errors/request_timeout.md says; Node looks once a second.
  assert.deepEqual([server.headersTimeout, server.requestTimeout], [10_000, 30_000]);
  const url = await service.listen();
  const head = "POST /v1/analytics/brands/mentions HTTP/1.1\r\nHost: sightline\r\n";
  server.headersTimeout = 100;
  assert.match(await trickled(url, `${head}F: `), /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
  server.headersTimeout = 0;
  server.requestTimeout = 100;
  const fields = "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
  assert.match(await trickled(url, `${head}${fields}`), /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
});

/** What comes back when, after the bytes, one more is sent every 20 ms. */
async function trickled(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  let reply = "";
  socket.on("data", (data) => {
    reply += data.toString();
  });
  socket.on("error", () => undefined); // it may hang up between two of the bytes
  let next = performance.now();
  const answered = () => {
    if (socket.destroyed || socket.readableEnded) return reply;
    if (performance.now() >= next && socket.writable && socket.write(" ")) next += 20;
    return null;
  };
  try {
    return await until("a slow client is refused", answered, 4_000);
  } finally {
    socket.destroy();
  }
}
