import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import { type TestContext, test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { bodyWithinMs, SlowBodies, streamBytesMin } from "./slow-bodies.ts";

/** A stream that has begun to come, and what is refused when the next look comes. */
async function comingStream(t: TestContext, first: string) {
  const clock = new HeldClock();
  const bodies = new SlowBodies(clock);
  const server = createServer();
  const late: string[] = [];
  server.on("clientError", ({ message }) => late.push(message));
  const { port } = await listening(server);
  const sender = httpRequest({ port, host: "127.0.0.1", method: "POST" });
  sender.on("error", () => undefined);
  t.after(async () => {
    sender.destroy();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const come = once(server, "request") as Promise<[IncomingMessage]>;
  sender.write(first);
  const [request] = await come;
  bodies.add(request, { isStream: true });
  const afterAWhile = () => {
    clock.advance(bodyWithinMs);
    bodies.refuseLate(server);
  };
  return { sender, request, late, afterAWhile };
}

test("a stream that trickles is late", async (t) => {
  const { sender, request, late, afterAWhile } = await comingStream(t, "x");
  for (const bytes of [streamBytesMin, streamBytesMin, 1_000]) {
    request.resume();
    const { bytesRead } = request.socket;
    sender.write("x".repeat(bytes));
    while (request.socket.bytesRead - bytesRead < bytes) await once(request, "data");
    assert.deepEqual(late, []);
    afterAWhile();
  }
  assert.deepEqual(late, ["the body is late"]);
});

test("a stream is late when its sender is, not while nobody here reads it", async (t) => {
  const { request, late, afterAWhile } = await comingStream(t, "x".repeat(1_000_000));
  await once(request, "readable");
  afterAWhile();
  afterAWhile();
  assert.deepEqual(late, []);
  for (let length = 0; length < 1_000_000; ) {
    const chunk = request.read() as Buffer | null;
    if (chunk === null) await once(request, "readable");
    else length += chunk.length;
  }
  afterAWhile(); // it has come further since
  assert.deepEqual(late, []);
  afterAWhile();
  assert.deepEqual(late, ["the body is late"]);
});
