import assert from "node:assert/strict";
import { createServer as createHttpServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { LookupFunction } from "node:net";
import { test } from "node:test";
import { ownCertificate } from "@sightline/test-kit/own-certificate.ts";
import {
  listening,
  type ReceivedRequest,
  startReceiver,
} from "@sightline/test-kit/webhook-receiver.ts";
import { eventSender } from "./send-event.ts";

const { signal } = new AbortController();
const event = { headers: { "webhook-id": "msg_1" }, body: '{"name":"Ünïcode 🦊"}' };

/** Resolves every name to this machine. */
const toThisMachine: LookupFunction = (_hostname, _options, callback) =>
  callback(null, [{ address: "127.0.0.1", family: 4 }]);

test("over https, to a name whose certificate is checked", async (t) => {
  const { key, cert } = ownCertificate(t, "hooks.example.com");
  const bodies: string[] = [];
  const server = createHttpsServer({ key, cert }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString("utf8"));
    response.writeHead(201).end();
  });
  const { port } = await listening(server);
  t.after(() => new Promise((closed) => server.close(closed)));
  const sending = { toPrivate: true, lookup: toThisMachine };
  const url = (host: string) => ({ ...event, url: `https://${host}:${port}/` });
  const known = eventSender({ ...sending, ca: cert });
  assert.deepEqual(await known(url("hooks.example.com"), signal), { status: 201, error: null });
  assert.deepEqual(bodies, [event.body]);
  assert.deepEqual(await known(url("other.example.com"), signal), {
    status: null,
    error: "the request failed (ERR_TLS_CERT_ALTNAME_INVALID)",
  });
  assert.deepEqual(await eventSender(sending)(url("hooks.example.com"), signal), {
    status: null,
    error: "the request failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
  });
  assert.equal(bodies.length, 1);
});

test("nothing is sent to a private address, nor to a name that leads there", async (t) => {
  const receiver = await startReceiver(t);
  const { port } = new URL(receiver.url);
  const refused = {
    status: null,
    error: "the address is private, or the name has no public one",
  };
  const send = eventSender({ toPrivate: false, lookup: toThisMachine });
  for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "rebound.example.com"]) {
    const url = `http://${host}:${port}/`;
    assert.deepEqual(await send({ ...event, url }, signal), refused, host);
  }
  assert.deepEqual(receiver.received, []);
  const url = `http://rebound.example.com:${port}/`;
  const toPrivate = eventSender({ toPrivate: true, lookup: toThisMachine });
  assert.equal((await toPrivate({ ...event, url }, signal)).status, 204);
  const [received] = receiver.received as ReceivedRequest[];
  assert.equal(received?.headers.host, `rebound.example.com:${port}`);
});

test("redirects are not followed, and replies not read, nor waited for", async (t) => {
  const paths: (string | undefined)[] = [];
  const silent = Promise.withResolvers<void>();
  const server = createHttpServer((request, response) => {
    paths.push(request.url);
    if (request.url === "/silent") return silent.resolve();
    if (request.url === "/redirect") response.writeHead(307, { location: "/other" }).end();
    else response.writeHead(200).write("x".repeat(1_000)); // and never ends
  });
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const send = eventSender({ toPrivate: true });
  const to = (path: string) => ({ ...event, url: `http://127.0.0.1:${port}${path}` });
  assert.deepEqual(await send(to("/redirect"), signal), { status: 307, error: null });
  assert.deepEqual(await send(to("/endless"), signal), { status: 200, error: null });
  assert.deepEqual(paths, ["/redirect", "/endless"]);
  const hasty = eventSender({ toPrivate: true, withinMs: 100 });
  assert.deepEqual(await hasty(to("/silent"), signal), { status: null, error: "no reply in time" });
  const stop = new AbortController();
  const sent = send(to("/silent"), stop.signal);
  await silent.promise;
  stop.abort(new Error("the service stops"));
  await assert.rejects(sent, /the service stops/);
});

test("a receiver that switches protocols is hung up on, not waited for", async (t) => {
  const reply = "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n";
  const closed = Promise.withResolvers<void>();
  const server = createHttpServer();
  server.on("connection", (socket) => socket.on("close", closed.resolve));
  server.on("request", ({ socket }) => socket.write(reply));
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  const send = eventSender({ toPrivate: true });
  const url = `http://127.0.0.1:${port}/`;
  assert.deepEqual(await send({ ...event, url }, signal), { status: 101, error: null });
  await closed.promise;
});

test("a name or a port without a receiver is reported", async () => {
  const absent: LookupFunction = (_hostname, _options, callback) =>
    callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
  const send = eventSender({ toPrivate: false, lookup: absent });
  assert.deepEqual(await send({ ...event, url: "https://absent.example.com/" }, signal), {
    status: null,
    error: "the name was not found",
  });
  const closed = createHttpServer();
  const { port } = await listening(closed);
  await new Promise((done) => closed.close(done));
  const local = eventSender({ toPrivate: true });
  assert.deepEqual(await local({ ...event, url: `http://127.0.0.1:${port}/` }, signal), {
    status: null,
    error: "the connection was refused",
  });
});
