import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { answersPath } from "@sightline/contract";
import { startServing } from "@sightline/test-kit/command.ts";
import { openCall } from "@sightline/test-kit/requests/open-call.ts";
import { sampleAnswers, sampleRange, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";

const body = JSON.stringify({ interval: "daily", filters: { timeRange: sampleRange } });

test("what is still coming when the stop is told is answered, or ended", async (t) => {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const making = await TestService.start({ dataDir });
  const accountId = await making.apply(sampleWorkspace);
  await making.import(accountId, sampleAnswers);
  const key = await making.key(accountId, ["read", "import"]);
  await making.close();
  const serving = await startServing(dataDir);
  const exchanged = await fetch(`${serving.url}/v1/auth/accesskey/exchange`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, connection: "close" },
  });
  const { sessionJwt } = (await exchanged.json()) as { sessionJwt: string };

  const { hostname, port } = new URL(serving.url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let reply = "";
  socket.on("data", (data: Buffer) => {
    reply += data.toString();
  });
  const ended = once(socket, "close");
  const head = [
    "POST /v1/analytics/brands/rank HTTP/1.1",
    `Host: ${hostname}`,
    `Authorization: Bearer ${sessionJwt}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join("\r\n")}\r\n\r\n${body.slice(0, 10)}`);
  // The head has been read when the service counts the connection's request: ask on another one.
  await fetch(`${serving.url}/healthz`, { headers: { connection: "close" } });
  const first = `${JSON.stringify(sampleAnswers[0])}\n`;
  const trickling = { method: "POST", path: answersPath, type: "application/x-ndjson" } as const;
  const open = await openCall(t, serving.url, { ...trickling, token: sessionJwt, first });
  const started = performance.now();
  serving.process.kill("SIGTERM");
  const refused = () =>
    fetch(`${serving.url}/healthz`, { headers: { connection: "close" } }).then(
      () => null,
      () => true,
    );
  await until("no new connection is taken", refused);
  socket.write(body.slice(10));
  await ended;
  const { status } = await serving.finished;
  assert.match(reply, /^HTTP\/1\.1 200 OK\r\n/);
  assert.match(reply, /\r\nconnection: close\r\n/i);
  assert.equal(status, 0);
  const { status: stopped, body: problem } = await open.reply;
  assert.deepEqual([stopped, problem["code"]], [503, "overloaded"]);
  assert.match(String(problem["detail"]), /^The service is stopping\. 0 answers were accepted/);
  assert.ok(performance.now() - started < 9_000, "nothing waited for the hard end");
});
