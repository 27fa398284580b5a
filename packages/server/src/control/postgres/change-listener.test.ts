import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { until } from "../../../test/until.ts";
import { ChangeListener } from "./change-listener.ts";

/** PostgreSQL's AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Lets clients in, and hangs up at the first thing that they ask. */
async function hangingUp(t: TestContext) {
  let questions = 0;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(welcome);
      socket.once("data", () => {
        questions++;
        socket.destroy();
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://user@127.0.0.1:${port}/database`, questions: () => questions };
}

// What nobody handles would end the process; the test runner fails the test instead.
test("a server that hangs up before it listens is tried again, and ends nothing", async (t) => {
  const { url, questions } = await hangingUp(t);
  const listener = new ChangeListener(url);
  t.after(() => listener.close());
  const before = listener.version();
  await until("tried again", () => (questions() >= 3 ? true : null));
  await until("trusted no longer", () => (listener.version() === before ? null : true));
  assert.match(listener.version(), /\//);
});
