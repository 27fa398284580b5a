import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { until } from "../until.ts";
import { type Fault, startFaultProxy } from "./fault-proxy.ts";

/** A proxy in front of a server that sends back what it gets. */
async function echoBehindProxy(t: TestContext) {
  const open = new Set<Socket>();
  const echo = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(echo, "listening");
  const { port } = echo.address() as AddressInfo;
  const proxy = await startFaultProxy({ host: "127.0.0.1", port });
  t.after(async () => {
    await proxy.close();
    for (const socket of open) socket.destroy();
    echo.close();
  });
  return { proxy, port };
}

/** A client that remembers what it got. */
function clientOf(
  t: TestContext,
  { host, port }: { readonly host: string; readonly port: number },
) {
  const socket = connect(port, host);
  t.after(() => socket.destroy());
  const client = { socket, text: "", chunks: 0, end: "" };
  socket.on("data", (chunk) => {
    client.text += chunk.toString();
    client.chunks++;
  });
  socket.on("error", (error: NodeJS.ErrnoException) => {
    client.end = error.code ?? "error";
  });
  socket.on("close", () => {
    client.end ||= "closed";
  });
  const got = (text: string) => until(text, () => (client.text === text ? true : null));
  const ended = () => until("the connection's end", () => client.end || null);
  const ask = (text: string) => {
    client.text = "";
    client.chunks = 0;
    socket.write(text);
  };
  return { client, ask, got, ended };
}

test("passes, and the address through it keeps all else", async (t) => {
  const { proxy, port } = await echoBehindProxy(t);
  const { ask, got } = clientOf(t, proxy);
  ask("hello");
  await got("hello");
  const url = `redis://user:word@127.0.0.1:${port}/3`;
  assert.equal(proxy.through(url), `redis://user:word@127.0.0.1:${proxy.port}/3`);
  assert.equal(proxy.connections(), 1);
});

test("delays both directions, and keeps the order", async (t) => {
  const { proxy } = await echoBehindProxy(t);
  const { ask, got } = clientOf(t, proxy);
  ask("first");
  await got("first");
  proxy.set({ kind: "delay", ms: 40 });
  const started = performance.now();
  ask("second");
  await got("second");
  assert.ok(performance.now() - started >= 79);
  proxy.set({ kind: "pass" });
  ask("third");
  await got("third");
});

test("resets open connections and new ones, until it passes again", async (t) => {
  const { proxy } = await echoBehindProxy(t);
  const before = clientOf(t, proxy);
  before.ask("hello");
  await before.got("hello");
  proxy.set({ kind: "reset" });
  assert.equal(await before.ended(), "ECONNRESET");
  const during = clientOf(t, proxy);
  during.ask("hello");
  assert.match(await during.ended(), /^(ECONNRESET|closed)$/);
  proxy.set({ kind: "pass" });
  const after = clientOf(t, proxy);
  after.ask("hello");
  await after.got("hello");
});

test("half-open: accepts and never answers; that connection never recovers", async (t) => {
  const { proxy } = await echoBehindProxy(t);
  const before = clientOf(t, proxy);
  before.ask("hello");
  await before.got("hello");
  proxy.set({ kind: "half-open" });
  const during = clientOf(t, proxy);
  for (const each of [before, during]) each.ask("lost");
  await until("the second connection", () => (proxy.connections() === 2 ? true : null));
  proxy.set({ kind: "pass" });
  for (const each of [before, during]) each.ask("lost too");
  const after = clientOf(t, proxy);
  after.ask("hello");
  await after.got("hello");
  assert.deepEqual([before.client.text, during.client.text], ["", ""]);
  assert.deepEqual([before.client.end, during.client.end], ["", ""]);
});

test("trickles a reply, and sends the rest when it passes again", async (t) => {
  const { proxy } = await echoBehindProxy(t);
  const { client, ask, got } = clientOf(t, proxy);
  const trickle: Fault = { kind: "trickle", bytes: 1, everyMs: 5 };
  proxy.set(trickle);
  ask("0123456789");
  await got("0123456789");
  assert.ok(client.chunks > 5);
  proxy.set({ ...trickle, everyMs: 50 });
  ask("0123456789");
  await until("the first byte", () => (client.text === "" ? null : true));
  proxy.set({ kind: "pass" });
  await got("0123456789");
  assert.ok(client.chunks < 5);
});

test("cuts a connection after so many bytes of its replies", async (t) => {
  const { proxy } = await echoBehindProxy(t);
  proxy.set({ kind: "cut", afterBytes: 7 });
  const { client, ask, got, ended } = clientOf(t, proxy);
  ask("01234");
  await got("01234");
  ask("56789");
  await ended();
  assert.equal(client.text, "56");
});
