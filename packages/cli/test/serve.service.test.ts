import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { Agent, get, type IncomingMessage, request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { sightlineVersion } from "@sightline/contract/version";
import {
  printedDocument,
  runCommand,
  type Serving,
  startCommand,
  startServing,
  stopped,
} from "@sightline/test-kit/command.ts";
import { corpusFile, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { runHosted } from "./command-host.ts";

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A data folder with an account, and a key of it. */
async function dataWithKey(t: TestContext) {
  const folder = folderOf(t);
  const dataDir = join(folder, "data");
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(corpusWorkspace));
  await runHosted(["apply", join(folder, "workspace.json"), "--data-dir", dataDir]);
  const made = await runHosted(["keys", "create", "--data-dir", dataDir, "--json"]);
  return { folder, dataDir, key: printedDocument<{ key: string }>(made).key };
}

/** A reply, read to its end. */
async function reply(waiting: { once: (event: "response", listener: never) => unknown }) {
  const [message] = (await once(waiting as never, "response")) as [IncomingMessage];
  return { status: message.statusCode, headers: message.headers, body: await text(message) };
}

test("its address and a link when it is ready; a log of its beginning and end", async (t) => {
  const dataDir = join(folderOf(t), "data");
  const parameters = ["--log-level", "info", "--rate-limit", "7/s"];
  const serving = await startServing(dataDir, { parameters });
  t.after(() => stopped(serving));
  assert.match(serving.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  for (const path of ["/healthz", "/readyz"]) {
    assert.equal((await fetch(`${serving.url}${path}`)).status, 200, path);
  }
  await checkSecondServer(serving, dataDir);
  const { status, signal, stdout, stderr } = await stopped(serving);
  assert.deepEqual([status, signal], [0, null]);
  const [line, , about, , link, ...rest] = stdout.split("\n");
  assert.deepEqual(
    [line, about, link?.replace(/=.*/, ""), rest.length],
    [
      `listening on ${serving.url}`,
      "There is no account yet. Name your brand in a browser:",
      `  ${serving.url}/#first-run`,
      5,
    ],
  );
  assert.ok(!stderr.includes(link?.slice(-40) ?? ""), "the link is in no log");
  const lines = stderr.trim().split("\n");
  const logged = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  const { time, ...first } = logged[0] ?? {};
  assert.equal(typeof time, "string");
  assert.deepEqual(first, {
    level: 30,
    url: serving.url,
    version: sightlineVersion,
    node: process.versions.node,
    dataDir,
    settings: { dataDir, port: 0, rateLimit: 7 },
    msg: "started",
  });
  assert.deepEqual(
    logged.slice(-2).map(({ msg, reason }) => [msg, reason]),
    [
      ["stopping", "SIGTERM"],
      ["stopped", "SIGTERM"],
    ],
  );
});

test("a link for the first account while there is none, and none without a console", async (t) => {
  const dataDir = join(folderOf(t), "data");
  const first = await startServing(dataDir);
  t.after(() => stopped(first));
  const at = ["--url", "https://a.example/", "--data-dir", dataDir, "--json"];
  const link = printedDocument<{ console: string }>(await runHosted(["keys", "link", ...at]));
  const [, code] = /^https:\/\/a\.example\/#first-run=(\S+)$/.exec(link.console) ?? [];
  const post = (path: string, body: object) =>
    fetch(`${first.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", "sightline-console": "1" },
      body: JSON.stringify(body),
    });
  // Another process made it: a code is stored nowhere, and the pepper alone tells it.
  assert.equal((await post("/console/first-run", { code })).status, 200);
  const workspace = { account: "Acme", brand: "Acme" };
  assert.equal((await post("/console/first-run/account", { code, workspace })).status, 200);
  const late = await runHosted(["keys", "link", "--data-dir", dataDir]);
  assert.deepEqual([late.status, late.stdout], [1, ""]);
  await stopped(first);
  const empty = join(folderOf(t), "data");
  for (const [folder, ...parameters] of [[dataDir], [empty, "--console", "off"]] as const) {
    const serving = await startServing(folder, { parameters });
    const { stdout } = await stopped(serving);
    assert.equal(stdout, `listening on ${serving.url}\n`);
  }
});

/** A second server on the folder says so and fails; the first goes on, and commands work. */
async function checkSecondServer({ url }: Serving, dataDir: string): Promise<void> {
  const second = await runCommand(["serve", "--data-dir", dataDir, "--port", "0"]);
  assert.deepEqual([second.status, second.stdout], [1, ""]);
  assert.equal(
    second.stderr,
    `sightline: Another server is running on the data folder ${dataDir}. ` +
      "Stop it, or give --data-dir another folder.\n",
  );
  assert.equal((await fetch(`${url}/readyz`)).status, 200, "the first goes on");
  const listed = await runHosted(["keys", "list", "--data-dir", dataDir, "--json"]);
  assert.equal(listed.status, 0, "other commands work meanwhile");
}

test("--json prints the address as one document, and SIGINT stops it as well", async (t) => {
  const dataDir = join(folderOf(t), "data");
  const parameters = ["serve", "--data-dir", dataDir, "--port", "0", "--json"];
  const { process: child, finished } = startCommand(parameters);
  await once(child.stdout, "data");
  child.kill("SIGINT");
  const done = await finished;
  assert.equal(done.status, 0, done.stderr);
  assert.match(printedDocument<{ url: string }>(done).url, /^http:\/\/127\.0\.0\.1:\d+$/);
});

test("after kill -9 the next server starts immediately", async (t) => {
  const dataDir = join(folderOf(t), "data");
  const first = await startServing(dataDir);
  first.process.kill("SIGKILL");
  await first.finished;
  const second = await startServing(dataDir);
  assert.equal((await stopped(second)).status, 0);
});

test("a port that is taken is a failure, told in one line", async (t) => {
  const taken = createServer();
  t.after(() => taken.close());
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as { port: number };
  const dataDir = join(folderOf(t), "data");
  const { status, stderr } = await runCommand([
    "serve",
    ...["--data-dir", dataDir, "--port", String(port)],
  ]);
  assert.equal(status, 1);
  assert.match(stderr, /^sightline: listen EADDRINUSE: .*\n$/);
});

test("SIGTERM: not ready first; what is in flight is answered, exit 0 within 10 s", async (t) => {
  const { dataDir, key } = await dataWithKey(t);
  const serving = await startServing(dataDir);
  const { url } = serving;
  const authorization = `Bearer ${key}`;
  const exchange = await fetch(`${url}/v1/auth/accesskey/exchange`, {
    method: "POST",
    headers: { authorization },
  });
  const { sessionJwt } = (await exchange.json()) as { sessionJwt: string };
  const timeRange = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  const body = JSON.stringify({ interval: "monthly", filters: { timeRange } });
  const inFlight = request(`${url}/v1/analytics/brands/mentions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${sessionJwt}`,
      "content-type": "application/json",
      "content-length": body.length,
    },
  });
  inFlight.write(body.slice(0, 10));
  const answered = reply(inFlight);
  // On another connection: by its answer the first request's head has arrived as well.
  assert.equal((await fetch(`${url}/readyz`)).status, 200);

  // A client that asks again and again on one connection, until the server says that it closes.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  const untilClosed = (async () => {
    const statuses = new Set<number | undefined>();
    for (;;) {
      const { status, headers } = await reply(get(`${url}/healthz`, { agent }));
      statuses.add(status);
      if (headers.connection === "close") return statuses;
    }
  })();

  const told = performance.now();
  serving.process.kill("SIGTERM");
  const problem = await until("readiness to end", async () => {
    const ready = await fetch(`${url}/readyz`);
    return ready.status === 503 ? ((await ready.json()) as { code: string }) : null;
  });
  assert.equal(problem.code, "shutting_down");
  assert.deepEqual(await untilClosed, new Set([200]));
  inFlight.end(body.slice(10));
  const { status, body: replied } = await answered;
  assert.equal(status, 200, replied);
  const done = await serving.finished;
  assert.deepEqual([done.status, done.signal], [0, null], done.stderr);
  assert.ok(performance.now() - told < 10_000);
});

test("SIGTERM before it is ready: exit 0, and it never says that it listens", async (t) => {
  const { folder, dataDir } = await dataWithKey(t);
  writeFileSync(join(folder, "many.ndjson"), corpusFile(40_000));
  await runHosted(["import", join(folder, "many.ndjson"), "--data-dir", dataDir]);
  const free = createServer();
  await once(free.listen(0, "127.0.0.1"), "listening");
  const { port } = free.address() as { port: number };
  free.close();
  const parameters = ["serve", "--data-dir", dataDir, "--port", String(port)];
  const { process: child, finished } = startCommand(parameters);
  const ready = await until("it to listen", () =>
    fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
  );
  assert.equal(ready.status, 503, "it was ready before it could be told to stop");
  child.kill("SIGTERM");
  const { status, signal, stdout } = await finished;
  assert.deepEqual([status, signal, stdout], [0, null, ""]);
});
