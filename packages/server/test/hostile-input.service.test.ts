import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { hostileRequests } from "@sightline/test-kit/requests/hostile-requests.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { bodyWithinMs } from "../src/http/slow-bodies.ts";

// How soon, and what stays in memory, is measured by tasks/soak.
test("hostile input gets a 4xx with its own code, and a short reply", async (t) => {
  const { service, token } = await startSample(t);
  const url = await service.listen();
  for (const [what, { bytes, code }] of Object.entries(hostileRequests(token))) {
    const reply = await rawReply(url, bytes);
    assertProblem(reply, code);
    assert.ok(reply.status >= 400 && reply.status < 500, what);
    assert.ok(reply.body.length < 10_000, `${what}: a reply of ${reply.body.length} bytes`);
  }
});

test("a client that sends a byte now and then gets 408 for its head and its body", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const { server } = service.app;
  // What docs/errors.md says of request_timeout; Node looks once a second.
  assert.deepEqual([server.headersTimeout, bodyWithinMs], [10_000, 30_000]);
  const url = await service.listen();
  const head = "POST /v1/analytics/brands/mentions HTTP/1.1\r\nHost: sightline\r\n";
  server.headersTimeout = 100;
  assert.match(await trickled(url, `${head}F: `), /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
  server.headersTimeout = 0;
  const fields = "Content-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
  const come = once(server, "request");
  const reply = trickled(url, `${head}${fields}`);
  await come;
  service.clock.advance(bodyWithinMs);
  assert.match(await reply, /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/);
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
