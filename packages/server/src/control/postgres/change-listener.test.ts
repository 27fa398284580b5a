import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type TestContext, test } from "node:test";
import { queryObjects } from "node:v8";
import { until } from "@sightline/test-kit/until.ts";
import { ChangeListener } from "./change-listener.ts";

/** PostgreSQL's AuthenticationOk and ReadyForQuery. */
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49]);

/** Its CommandComplete of `SELECT 1`, and ReadyForQuery. */
const done = Buffer.from("C\0\0\0\rSELECT 1\0Z\0\0\0\u0005I", "latin1");

/** Accepts clients, and acknowledges every statement. */
async function answering(t: TestContext) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(welcome);
      socket.on("data", () => {
        socket.write(done);
        server.emit("asked");
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { url: `postgres://user@127.0.0.1:${port}/database`, asked: () => once(server, "asked") };
}

/** Accepts clients, and disconnects at their first statement. */
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

// An unhandled error would end the process; the test runner fails the test instead.
test("a server that hangs up before it listens is tried again, and ends nothing", async (t) => {
  const { url, questions } = await hangingUp(t);
  const listener = new ChangeListener(url);
  t.after(() => listener.close());
  const before = listener.version();
  await until("tried again", () => (questions() >= 3 ? true : null));
  await until("trusted no longer", () => (listener.version() === before ? null : true));
  assert.match(listener.version(), /\//);
});

test("a connection that lasts for days takes no more memory than a new one", async (t) => {
  const { url, asked } = await answering(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const listener = new ChangeListener(url);
  t.after(() => listener.close());
  const beats = async (count: number) => {
    for (let beat = 0; beat < count; beat++) {
      const next = asked();
      // The reply to the question before may not have been read yet.
      const ticking = setInterval(() => t.mock.timers.tick(500), 1);
      await next;
      clearInterval(ticking);
    }
    return queryObjects(Promise, { format: "count" });
  };
  listener.version();
  const few = await beats(20);
  const many = await beats(200);
  assert.ok(many - few < 100, `${many - few} promises more after 200 beats`);
});
