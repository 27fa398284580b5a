import assert from "node:assert/strict";
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from "node:net";
import { type TestContext, test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { ownCertificate } from "@sightline/test-kit/own-certificate.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import type { VendorRequest } from "./adapter.ts";
import {
  replyBytesMax,
  type SendingOptions,
  sendVendorRequest,
  standInAddress,
  type TlsOptions,
} from "./send.ts";

const host = "api.vendor.example";
const secret = "sk-very-secret";
const ask: VendorRequest = {
  method: "POST",
  host,
  path: "/v1/ask?kind=web",
  isPaid: true,
  withinMs: 10_000,
  headers: { "x-version": "2" },
  body: { prompt: "Ünïcode 🦊" },
};
const authorized = { path: ask.path, headers: { authorization: `Bearer ${secret}` } };
const options: SendingOptions = {
  hosts: [host, "other.vendor.example"],
  standIn: null,
  signal: new AbortController().signal,
  hideSecrets: (text) => text.replaceAll(secret, "***"),
};
const tooLarge = { kind: "unknown", reason: "the reply is larger than 10 MB" };

/** A resolver with one address. Node connects to what the lookup lets through. */
function lookupOf(address: string): LookupFunction {
  return (_hostname, _options, callback) => callback(null, [{ address, family: 4 }]);
}

async function standIn(t: TestContext, listener: RequestListener): Promise<SendingOptions> {
  const { port } = await served(t, createHttpServer(listener));
  return { ...options, standIn: `http://127.0.0.1:${port}` };
}

async function served(t: TestContext, server: Server): Promise<{ readonly port: number }> {
  const { port } = await listening(server);
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  return { port };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

test("a request is sent with what authorises it, and the reply's secrets are hidden", async (t) => {
  const seen: unknown[] = [];
  const sending = await standIn(t, async (request, response) => {
    const { method, url, headers } = request;
    const { authorization, "x-version": version, "content-type": type } = headers;
    seen.push({ method, url, authorization, version, type, body: await textOf(request) });
    response.writeHead(429, { "retry-after": "7", "set-cookie": "a=b", "x-request-id": secret });
    response.end(JSON.stringify({ error: `${secret} is over its limit` }));
  });
  assert.deepEqual(await sendVendorRequest(ask, authorized, sending), {
    kind: "reply",
    reply: {
      status: 429,
      headers: { "retry-after": "7", "x-request-id": "***" },
      body: '{"error":"*** is over its limit"}',
    },
  });
  assert.deepEqual(seen, [
    {
      method: "POST",
      url: `/${host}/v1/ask?kind=web`,
      version: "2",
      authorization: `Bearer ${secret}`,
      type: "application/json",
      body: '{"prompt":"Ünïcode 🦊"}',
    },
  ]);
});

test("over https: the certificate is checked before anything is sent", async (t) => {
  const { key, cert } = ownCertificate(t, host);
  const asked: (string | undefined)[] = [];
  const listener: RequestListener = (request, response) => {
    asked.push(request.headers.host);
    response.end("{}");
  };
  const { port } = await served(t, createHttpsServer({ key, cert }, listener));
  const lookup = lookupOf("127.0.0.1");
  const send = (to: string, tls: TlsOptions) =>
    sendVendorRequest({ ...ask, host: to }, authorized, { ...options, port, tls });
  const known = { lookup, ca: cert, toPrivate: true };
  const reply = { status: 200, headers: {}, body: "{}" };
  assert.deepEqual(await send(host, known), { kind: "reply", reply });
  assert.deepEqual(asked, [host]);
  assert.deepEqual(await send("other.vendor.example", known), {
    kind: "not-sent",
    reason: "the request failed (ERR_TLS_CERT_ALTNAME_INVALID)",
  });
  assert.deepEqual(await send(host, { lookup, toPrivate: true }), {
    kind: "not-sent",
    reason: "the request failed (DEPTH_ZERO_SELF_SIGNED_CERT)",
  });
  const isPrivate = { kind: "not-sent", reason: "the vendor's name has no public address" };
  assert.deepEqual(await send(host, { lookup, ca: cert }), isPrivate);
  assert.deepEqual(asked, [host]);
});

test("no TLS, or none in time: nothing was sent", async (t) => {
  const { port } = await served(t, createHttpServer());
  const silent = createTcpServer((socket) => void socket.resume());
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const { port: silentPort } = silent.address() as AddressInfo;
  t.after(() => new Promise((closed) => silent.close(closed)));
  const tls = { lookup: lookupOf("127.0.0.1"), toPrivate: true };
  const hasty = { ...ask, withinMs: 300 };
  const plain = await sendVendorRequest(hasty, authorized, { ...options, port, tls });
  assert.equal(plain.kind, "not-sent");
  const none = await sendVendorRequest(hasty, authorized, { ...options, port: silentPort, tls });
  assert.deepEqual(none, { kind: "not-sent", reason: "no connection in time" });
});

test("names that lead into a network are refused, wherever they led before", async () => {
  const answers = ["10.0.0.1", "169.254.169.254", "127.0.0.1"];
  const rebinding: LookupFunction = (_hostname, _options, callback) =>
    callback(null, [{ address: answers.shift() ?? "127.0.0.1", family: 4 }]);
  for (const _ of [1, 2, 3, 4]) {
    const sent = await sendVendorRequest(ask, authorized, {
      ...options,
      tls: { lookup: rebinding },
    });
    assert.deepEqual(sent, { kind: "not-sent", reason: "the vendor's name has no public address" });
  }
});

test("another host, and characters that HTTP does not allow, are faults", async () => {
  for (const wrong of ["evil.example", "api.vendor.example.evil.example", "127.0.0.1", ""]) {
    await assert.rejects(sendVendorRequest({ ...ask, host: wrong }, authorized, options), {
      message: `${wrong} is not a host of this vendor's adapter`,
    });
  }
  const headers = { authorization: `Bearer ${secret}\r\nx-other: 1` };
  await assert.rejects(sendVendorRequest(ask, { ...authorized, headers }, options), {
    message: `A request to ${host} has characters that HTTP does not allow.`,
  });
});

test("no redirect is followed; its address is kept", async (t) => {
  const paths: (string | undefined)[] = [];
  const sending = await standIn(t, ({ url }, response) => {
    paths.push(url);
    response.writeHead(302, { location: "https://evil.example/" }).end();
  });
  const sent = await sendVendorRequest(ask, authorized, sending);
  const reply = { status: 302, headers: { location: "https://evil.example/" }, body: "" };
  assert.deepEqual(sent, { kind: "reply", reply });
  assert.equal(paths.length, 1);
});

test("encodings are decoded, and what they unpack to is bounded", async (t) => {
  const largest = Buffer.alloc(replyBytesMax, 0x61);
  const bomb = Buffer.alloc(3 * replyBytesMax, 0x61);
  const replies: Readonly<Record<string, readonly [string, Buffer]>> = {
    "/gzip": ["gzip", gzipSync(largest)],
    "/br": ["br", brotliCompressSync(largest)],
    "/deflate": ["deflate", deflateSync(largest)],
    "/none": ["identity", largest],
    "/gzip-bomb": ["gzip", gzipSync(bomb)],
    "/br-bomb": ["br", brotliCompressSync(bomb)],
    "/deflate-bomb": ["deflate", deflateSync(bomb)],
    "/large": ["identity", Buffer.concat([largest, Buffer.from("a")])],
    "/twice": ["gzip, gzip", gzipSync(gzipSync("a"))],
    "/proto": ["__proto__", gzipSync("a")],
    "/cut": ["gzip", gzipSync(largest).subarray(0, 500)],
    "/not-gzip": ["gzip", Buffer.from("plain")],
  };
  const sending = await standIn(t, ({ url }, response) => {
    const [encoding, body] = replies[url?.replace(`/${host}`, "") ?? ""] ?? ["identity", ""];
    response.writeHead(200, { "content-encoding": encoding }).write(body);
    response.end();
  });
  const get = (path: string) =>
    sendVendorRequest({ ...ask, method: "GET", path }, { path, headers: {} }, sending);
  for (const path of ["/gzip", "/br", "/deflate", "/none"]) {
    const sent = await get(path);
    assert.ok(sent.kind === "reply" && sent.reply.body === largest.toString(), path);
  }
  for (const path of ["/gzip-bomb", "/br-bomb", "/deflate-bomb", "/large"]) {
    assert.deepEqual(await get(path), tooLarge, path);
  }
  const unknown = { kind: "unknown", reason: "the reply is encoded in an unknown way" };
  assert.deepEqual(await get("/twice"), unknown);
  assert.deepEqual(await get("/proto"), unknown);
  assert.deepEqual(await get("/cut"), { kind: "unknown", reason: "the reply is cut" });
  const broken = { kind: "unknown", reason: "the reply cannot be decoded" };
  assert.deepEqual(await get("/not-gzip"), broken);
});

test("an endless reply is refused at its bound, an announced one before it comes", async (t) => {
  const sending = await standIn(t, ({ url }, response) => {
    const announced = url?.endsWith("/announced") ? { "content-length": replyBytesMax + 1 } : {};
    response.writeHead(200, announced);
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    };
    response.on("drain", write);
    if (url?.endsWith("/endless")) write();
    else response.flushHeaders();
  });
  const get = (path: string) =>
    sendVendorRequest({ ...ask, method: "GET", path }, { path, headers: {} }, sending);
  assert.deepEqual(await get("/endless"), tooLarge);
  assert.deepEqual(await get("/announced"), tooLarge);
});

test("a reply that does not come in time may be billed", async (t) => {
  const sending = await standIn(t, ({ url }, response) => {
    if (url?.endsWith("/slow")) response.writeHead(200).write('{"text":');
  });
  const late = { kind: "unknown", reason: "no reply in time" };
  for (const path of ["/silent", "/slow"]) {
    const hasty = { ...ask, path, withinMs: 150 };
    assert.deepEqual(await sendVendorRequest(hasty, { path, headers: {} }, sending), late, path);
  }
});

test("resets: before the request nothing is billed, after it perhaps", async (t) => {
  const sending = await standIn(t, async (request, response) => {
    await textOf(request);
    if (request.url?.endsWith("/half")) response.writeHead(200).write('{"text":');
    request.socket.resetAndDestroy();
  });
  const closed = { kind: "unknown", reason: "the connection was closed" };
  for (const path of ["/whole", "/half"]) {
    assert.deepEqual(await sendVendorRequest({ ...ask, path }, { path, headers: {} }, sending), {
      ...closed,
    });
  }
  const nobody = createHttpServer();
  const { port } = await listening(nobody);
  await new Promise((done) => nobody.close(done));
  const refused = await sendVendorRequest(ask, authorized, {
    ...options,
    standIn: `http://127.0.0.1:${port}`,
  });
  assert.deepEqual(refused, { kind: "not-sent", reason: "the connection was refused" });
  const absent: LookupFunction = (_hostname, _options, callback) =>
    callback(Object.assign(new Error("no"), { code: "ENOTFOUND" }), []);
  assert.deepEqual(
    await sendVendorRequest(ask, authorized, {
      ...options,
      tls: { lookup: absent },
    }),
    {
      kind: "not-sent",
      reason: "the vendor's name was not found",
    },
  );
});

test("a service that stops cuts requests off, and says whether they were sent", async (t) => {
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const sending = await standIn(t, () => asked.resolve());
  const stopping = { ...sending, signal: stop.signal };
  const sent = sendVendorRequest(ask, authorized, stopping);
  await asked.promise;
  stop.abort(new Error("stop"));
  const reason = "cut off: the service stops";
  assert.deepEqual(await sent, { kind: "unknown", reason });
  assert.deepEqual(await sendVendorRequest(ask, authorized, stopping), {
    kind: "not-sent",
    reason,
  });
});

test("a stand-in is on this machine", () => {
  for (const text of ["http://127.0.0.1:8090", "http://127.0.0.1:8090/", "http://[::1]:8090"]) {
    assert.equal(standInAddress(text), text.replace(/\/$/, ""), text);
  }
  for (const text of [
    ...["", "8090", "127.0.0.1:8090", "https://127.0.0.1:8090", "http://127.0.0.1"],
    ...["http://localhost:8090", "http://10.0.0.1:8090", "http://127.0.0.1.evil.example:80"],
    ...["http://127.0.0.1:8090/a", "http://127.0.0.1:8090/?a", "http://a:b@127.0.0.1:8090"],
  ]) {
    assert.equal(standInAddress(text), null, text);
  }
});

test("an operator's endpoint has a port, and private addresses with permission", async (t) => {
  const { port } = await served(
    t,
    createHttpServer((request, response) => response.end(JSON.stringify({ at: request.url }))),
  );
  const local = { host: "127.0.0.1", port, isPlain: true, toPrivate: true };
  const request = { ...ask, host: "127.0.0.1" };
  const sending = { ...options, hosts: ["127.0.0.1"] };
  const sent = await sendVendorRequest(request, authorized, { ...sending, endpoint: local });
  assert.ok(sent.kind === "reply");
  assert.equal(sent.reply.body, JSON.stringify({ at: ask.path }));
  const refused = { kind: "not-sent", reason: "the vendor's name has no public address" };
  const endpoint = { ...local, isPlain: false, toPrivate: false };
  assert.deepEqual(await sendVendorRequest(request, authorized, { ...sending, endpoint }), refused);
  const tls = { lookup: lookupOf("10.0.0.1") };
  const named = { ...options, endpoint: { ...endpoint, host }, tls };
  assert.deepEqual(await sendVendorRequest(ask, authorized, named), refused);
});
