import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type TestContext, test } from "node:test";
import { InFlightCalls, questionSignal } from "./in-flight-calls.ts";

/** A request that waits for its reply, as both of its ends see it. */
async function waitingRequest(t: TestContext) {
  const server = createServer();
  t.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  const call = request({ port, host: "127.0.0.1" });
  call.on("error", () => undefined); // it hangs up
  call.end();
  const [, reply] = (await once(server, "request")) as [IncomingMessage, ServerResponse];
  return { call, reply };
}

test("a client that hangs up ends its question", async (t) => {
  const { call, reply } = await waitingRequest(t);
  const { signal, done } = questionSignal(
    new InFlightCalls().begin(reply, async () => true),
    10,
  );
  t.after(done);
  assert.equal(signal.aborted, false);
  const aborted = once(signal, "abort");
  call.destroy();
  await aborted;
  assert.equal(signal.reason.code, "deadline_exceeded");
});

test("a client that hung up before its question began ends it as well", async (t) => {
  const { call, reply } = await waitingRequest(t);
  const closed = once(reply, "close");
  call.destroy();
  await closed;
  const { signal, done } = questionSignal(
    new InFlightCalls().begin(reply, async () => true),
    10,
  );
  t.after(done);
  assert.equal(signal.aborted, true);
});
