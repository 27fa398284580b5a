import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { rawReply } from "@sightline/test-kit/requests/raw-request.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { serviceApp } from "../server.ts";

const health = "GET /healthz HTTP/1.1\r\nHost: sightline\r\nConnection: close\r\n\r\n";

/** A service of which an address may have two connections. */
async function listening(t: AfterHook, trustedProxies = "") {
  const service = await TestService.start({ settings: { trustedProxies } });
  const app = serviceApp(service.services, 2);
  const opened: Socket[] = [];
  t.after(async () => {
    for (const socket of opened) socket.destroy(); // or the service would wait for them
    await app.close();
    await service.close();
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const open = async () => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    opened.push(socket);
    socket.on("error", () => undefined).resume(); // or it would not see its end
    await once(app.server, "connection");
    return socket;
  };
  return { url, open };
}

test("an address has so many connections, and the next is refused with 503", async (t) => {
  const { url, open } = await listening(t);
  const first = await open();
  assert.equal((await rawReply(url, health)).status, 200);
  await open();
  const refused = await rawReply(url, health.replace("Connection: close\r\n", ""));
  const { detail } = assertProblem(refused, "overloaded");
  assert.match(detail, /at most 2 connections/);
  assert.equal(refused.headers["connection"], "close");
  assert.equal(refused.headers["retry-after"], "1");
  first.destroy();
  const again = async () => ((await rawReply(url, health)).status === 200 ? true : null);
  assert.ok(await until("room for a connection", again));
});

test("of twice as many connections, the next is closed without a reply", async (t) => {
  const { open } = await listening(t);
  for (let count = 0; count < 4; count++) await open();
  const socket = await open();
  if (!socket.closed) await once(socket, "close");
  assert.equal(socket.bytesRead, 0);
});

test("a trusted proxy has as many connections as its clients need", async (t) => {
  const { url, open } = await listening(t, "127.0.0.0/8");
  for (let count = 0; count < 6; count++) await open();
  assert.equal((await rawReply(url, health)).status, 200);
});
