import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { daysFrom, startManyEntities } from "@sightline/test-kit/requests/many-entities.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { writtenBytesMax } from "./reply.ts";

const path = "/v1/analytics/brands/mentions";

function question(days: number, first = 0, interval = "daily") {
  return { interval, filters: { timeRange: daysFrom(days, first) } };
}

test("a reply of more than 200,000 points is refused, with what to do", async (t) => {
  const { service, token } = await startManyEntities(t, { entities: 1_000, days: 1 });
  const ask = (body: object) => service.post(path, { token, body });
  const refused = assertProblem(await ask(question(4_000)), "invalid_request");
  assert.equal(refused.detail, "The reply would have too many points.");
  assert.deepEqual(refused.errors, [
    {
      path: "/interval",
      code: "too_large",
      message:
        "must give at most 200000 points, got 4000000 (1000 entities in 4000 daily buckets). " +
        "Use a longer interval (weekly or monthly) or a shorter range.",
    },
  ]);
  assertProblem(await ask(question(201)), "invalid_request");
  assert.equal((await ask(question(200))).status, 200);
  assert.equal((await ask(question(4_000, 0, "monthly"))).status, 200);
});

/** A connection that reads the beginning of a reply, and nothing after it. */
async function unread(t: AfterHook, url: string, bytes: string) {
  const { hostname, port } = new URL(url);
  const head = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  t.after(async () => void socket.destroy());
  socket.on("error", head.reject);
  socket.once("data", (first) => {
    socket.pause();
    head.resolve(first.toString("latin1"));
  });
  return { socket, head: await head.promise };
}

function bytesOf(token: string, body: string): string {
  const fields = ["Host: sightline", "Content-Type: application/json"];
  fields.push(`Authorization: Bearer ${token}`, `Content-Length: ${body.length}`);
  return `POST ${path} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n${body}`;
}

test("a connection whose client takes nothing for 60 s is closed", async (t) => {
  const { service, token } = await startManyEntities(t, { entities: 1_000, days: 200 });
  const { server } = service.app;
  const url = await service.listen();
  const connection = once(server, "connection");
  await unread(t, url, bytesOf(token, JSON.stringify(question(200))));
  const [socket] = (await connection) as [Socket];
  await until("bytes that wait", () => (socket.writableLength > 0 ? true : null));
  await until("the connection is closed", () => {
    service.clock.advance(1_000);
    return socket.destroyed ? true : null;
  });
});

test("replies that nobody reads take bounded memory, and leave the rest to others", async (t) => {
  const { service, token } = await startManyEntities(t, { entities: 1_000, days: 200 });
  const connections: Socket[] = [];
  service.app.server.on("connection", (socket: Socket) => connections.push(socket));
  const url = await service.listen();
  const replies: { readonly socket: Socket; readonly head: string }[] = [];
  for (let each = 0; each < 6; each++) {
    const body = JSON.stringify(question(180, each)); // each another question, of 9 MB
    replies.push(await unread(t, url, bytesOf(token, body)));
  }
  const statuses = replies.map(({ head }) => Number(head.split(" ")[1]));
  assert.deepEqual(new Set(statuses), new Set([200, 503]));
  const refused = replies.find(({ head }) => head.startsWith("HTTP/1.1 503"))?.head ?? "";
  assert.match(refused, /\r\nRetry-After: 1\r\n/i);
  assert.match(refused, /"code":"overloaded"/);
  // Of what waits, a connection has no more than what was written to it last.
  const waiting = connections.map(({ writableLength }) => writableLength);
  assert.ok(Math.max(...waiting) <= 3 * writtenBytesMax, `${waiting} bytes wait`);
  const ask = (body: object) => service.post(path, { token, body });
  assert.equal((await ask(question(7))).status, 200); // a small one is answered all the same
  assertProblem(await ask(question(180, 7)), "overloaded");

  for (const { socket } of replies) socket.destroy();
  await until("room for replies", async () =>
    (await ask(question(180, 7))).status === 200 ? true : null,
  );
});

test("lists that nobody reads are bounded like other replies", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const text = "Which storage is good? ".repeat(500);
  const accountId = await service.apply({
    account: { name: "Acme" },
    brand: { name: "Acme" },
    prompts: Array.from({ length: 1_000 }, (_, index) => ({ text: `${index} ${text}` })),
  });
  const token = await service.session(accountId, ["read", "manage"]);
  const url = await service.listen();
  const list = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: sightline\r\nAuthorization: Bearer ${token}\r\n\r\n`;
  const heads: string[] = [];
  const sockets: Socket[] = [];
  for (let each = 0; each < 6; each++) {
    const { head, socket } = await unread(t, url, list("/v1/workspace/file")); // of 12 MB
    heads.push(head.slice(9, 12));
    sockets.push(socket);
  }
  assert.deepEqual([heads[0], heads.at(-1)], ["200", "503"]);
  const authorization = `Bearer ${token}`;
  const ask = (path: string) => service.request("GET", path, { headers: { authorization } });
  assert.equal((await ask("/v1/keys")).status, 200); // a small one is answered all the same
  for (const socket of sockets) socket.destroy();
  await until("room for lists", async () =>
    (await ask("/v1/workspace/file")).status === 200 ? true : null,
  );
});
