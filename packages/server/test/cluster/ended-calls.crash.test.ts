import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { after, before, type TestContext, test } from "node:test";
import {
  answersPath,
  type CreatedLinkResponse,
  deleteAnswersPath,
  keysPath,
  workspacePath,
} from "@sightline/contract";
import { standInCredentials } from "@sightline/stand-in";
import { fromConsole } from "@sightline/test-kit/console-page.ts";
import { type FaultProxy, startFaultProxy } from "@sightline/test-kit/engines/fault-proxy.ts";
import { migratedClickhouseUrl } from "@sightline/test-kit/engines/migrated-clickhouse.ts";
import { migratedPostgresUrl } from "@sightline/test-kit/engines/migrated-postgres.ts";
import { toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { PersonPage } from "@sightline/test-kit/person-page.ts";
import { daysFrom } from "@sightline/test-kit/requests/many-entities.ts";
import { openCall } from "@sightline/test-kit/requests/open-call.ts";
import { bearer } from "@sightline/test-kit/requests/session-of.ts";
import { sampleAnswers, sampleRange, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { listening } from "@sightline/test-kit/webhook-receiver.ts";
import { decodeJwt } from "jose";
import { revokeLink } from "../../src/links/link-store.ts";
import { changeRole, removePerson } from "../../src/people/memberships.ts";

// Two nodes of one cluster. ClickHouse does not answer the second, so that what it is asked there
// is under way until somebody ends it. The rights are taken away at the first.

/** What has lost its right ends within this time, in milliseconds. */
const endedWithinMs = 2_000;

let one: TestService;
let two: TestService;
let clickhouse: FaultProxy;
let url: string;
const dataDir = temporaryFolder();
/** A receiver and a vendor that take what they are sent and say nothing. */
const elsewhere = createServer();

before(async () => {
  const [postgresUrl, clickhouseUrl] = [await migratedPostgresUrl(), await migratedClickhouseUrl()];
  const { hostname, port } = new URL(clickhouseUrl);
  clickhouse = await startFaultProxy({ host: hostname, port: Number(port) });
  // Nodes share the pepper, which is all that the folder of a node has.
  const { port: silentPort } = await listening(elsewhere);
  const silent = `http://127.0.0.1:${silentPort}`;
  const settings = { postgresUrl, clickhouseUrl, vendorStandIn: silent, hooksToPrivate: "on" };
  one = await TestService.start({ dataDir, settings });
  const away = { ...settings, clickhouseUrl: clickhouse.through(clickhouseUrl) };
  two = await TestService.start({ dataDir, settings: { ...away, replyCache: "off" } });
  url = await two.listen();
});

after(async () => {
  await two.close();
  await one.close();
  await clickhouse.close();
  elsewhere.closeAllConnections();
  elsewhere.close();
  rmSync(dataDir, { recursive: true, force: true });
});

let accounts = 0;

/** A new account, with answers and a report. */
async function newAccount(more: object = {}): Promise<string> {
  const reports = [{ name: "Weekly", period: "last-week" }];
  const account = { name: `Account ${accounts++}` };
  const accountId = await one.apply({ ...sampleWorkspace, account, reports, ...more });
  await one.import(accountId, sampleAnswers);
  return accountId;
}

/** A call at the second node. */
interface Asked {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: object;
}

/** How a call that was under way ended. */
interface Ended {
  readonly status: number;
  readonly text: string;
  /** In the time of `performance.now`. */
  readonly atMs: number;
}

/** Asks what ClickHouse does not answer. Resolves when ClickHouse was asked. */
async function ask(t: TestContext, asked: Asked) {
  clickhouse.set({ kind: "half-open" });
  const lost = clickhouse.lost();
  const call = begin(t, asked);
  await until("ClickHouse is asked", () => (clickhouse.lost() > lost ? true : null));
  return call;
}

/** Asks what somebody elsewhere does not answer. Resolves when they were asked. */
async function askElsewhere(t: TestContext, asked: Asked) {
  const received = once(elsewhere, "request");
  const call = begin(t, asked);
  await received;
  return call;
}

function begin(t: TestContext, { path, headers, body }: Asked) {
  const over = new AbortController();
  t.after(() => over.abort());
  const json = body === undefined ? {} : { "content-type": "application/json" };
  const ended = fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: { ...headers, ...json },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: over.signal,
  }).then(async (reply): Promise<Ended> => {
    return { status: reply.status, text: await reply.text(), atMs: performance.now() };
  });
  return { ended };
}

/** Sends the beginning of a body. Resolves when its account is known to send it. */
async function send(
  t: TestContext,
  { token, file }: { readonly token: string; readonly file: "answers" | "workspace" },
) {
  const isAnswers = file === "answers";
  const received = once(two.app.server, "request");
  const call = await openCall(t, url, {
    method: isAnswers ? "POST" : "PUT",
    path: isAnswers ? answersPath : workspacePath,
    type: isAnswers ? "application/x-ndjson" : "application/json",
    token,
    first: isAnswers ? `${JSON.stringify(sampleAnswers[0])}\n` : "{",
  });
  await received;
  // Its session is checked as soon as its head is there, and this one's after that.
  await fetch(new URL(keysPath, url), { headers: bearer(token) });
  const ended = call.reply.then(({ status, body }): Ended => {
    return { status, text: JSON.stringify(body), atMs: performance.now() };
  });
  return { ended };
}

/** Takes a right away at the first node: what is under way at the second ends in time. */
async function endsInTime(
  t: TestContext,
  what: string,
  {
    call,
    revoke,
  }: {
    readonly call: { readonly ended: Promise<Ended> };
    readonly revoke: () => Promise<unknown>;
  },
): Promise<void> {
  const startedMs = performance.now();
  await revoke();
  const { status, text, atMs } = await call.ended;
  clickhouse.set({ kind: "pass" });
  const tookMs = Math.round(atMs - startedMs);
  t.diagnostic(`${what}: ${tookMs} ms`);
  assert.equal(status, 401, `${what}: ${text}`);
  // A call that only begins now is refused in other words.
  const isPage = text.startsWith("<!doctype");
  assert.match(text, isPage ? /cannot be shown/ : /The session or its API key has ended/, what);
  assert.ok(tookMs <= endedWithinMs, `${what} ended after ${tookMs} ms`);
}

const question = {
  path: "/v1/analytics/brands/mentions",
  body: { interval: "daily", filters: { timeRange: sampleRange } },
};
const report = { path: "/v1/reports", body: { report: "Weekly" } };
const view = { page: "overview", period: "all" } as const;

async function newKey(accountId: string) {
  const token = await one.session(accountId, ["read", "import", "manage"]);
  const keyId = String(decodeJwt(token)["keyId"]);
  return { token, revoke: () => one.services.keyRing.revoke(keyId) };
}

test("a key that is revoked", async (t) => {
  const accountId = await newAccount();
  const tool = { path: "/mcp", body: toolCall("time_series", { metric: "rank" }) };
  const mcp = { "mcp-method": "tools/call", "mcp-name": "time_series" };
  for (const { path, body } of [question, report, tool]) {
    const { token, revoke } = await newKey(accountId);
    const headers = { ...bearer(token), ...(path === "/mcp" ? mcp : {}) };
    const call = await ask(t, { path, body, headers });
    await endsInTime(t, `key, ${path}`, { call, revoke });
  }
  for (const file of ["answers", "workspace"] as const) {
    const { token, revoke } = await newKey(accountId);
    const call = await send(t, { token, file });
    await endsInTime(t, `key, ${file}`, { call, revoke });
  }
  const { token, revoke } = await newKey(accountId);
  const call = await ask(t, { path: await linkOf(token) });
  await endsInTime(t, "key, its link", { call, revoke });
});

test("a key that is revoked while its call waits for somebody else", async (t) => {
  const accountId = await newAccount();
  const token = await one.session(accountId, ["manage"]);
  const hook = { url: `${two.services.config.collection.standIn}/hook`, events: ["moved"] };
  const { id } = (await one.post("/v1/hooks", { token, body: hook })).json<{ id: string }>();
  await one.request("PUT", "/v1/collection/credentials/openai", {
    headers: { ...bearer(token), "content-type": "application/json" },
    body: JSON.stringify({ credential: standInCredentials.openai }),
  });
  for (const path of [`/v1/hooks/${id}/test`, "/v1/collection/credentials/openai/test"]) {
    const { token, revoke } = await newKey(accountId);
    const call = await askElsewhere(t, { path, body: {}, headers: bearer(token) });
    await endsInTime(t, `key, ${path}`, { call, revoke });
  }
});

/** The address of a link that is made with a session. */
async function linkOf(token: string): Promise<string> {
  const body = { name: "board", kind: "view", view };
  const made = await one.post("/v1/links", { token, body });
  return new URL(made.json<CreatedLinkResponse>().address).pathname;
}

test("a share link that is revoked", async (t) => {
  const accountId = await newAccount();
  const { links, control, clock } = one.services;
  for (const [kind, rest] of [
    ["view", ""],
    ["csv", "/csv"],
    ["image", "/image.svg"],
  ] as const) {
    const shown = kind === "image" ? { ...view, metric: "mentions" as const } : view;
    const made = await links.create(accountId, { name: "", kind, view: shown, expiresAt: null });
    assert.ok(made !== null);
    const call = await ask(t, { path: `/share/${made.token}${rest}` });
    const revoke = () => revokeLink(control, accountId, made.link.id, clock.now());
    await endsInTime(t, `link, ${kind}`, { call, revoke });
  }
});

/** What people who lose a right have under way. */
const calls = {
  question: (accountId: string) => ({
    ...question,
    path: `/console/accounts/${accountId}${question.path}`,
  }),
  report: (accountId: string) => ({
    ...report,
    path: `/console/accounts/${accountId}${report.path}`,
  }),
  board: () => ({ path: "/console/person/board" }),
} as const;

let people = 0;

async function newManager(accountId: string): Promise<PersonPage> {
  const email = `person${people++}@example.com`;
  return PersonPage.join(one, accountId, { email, role: "manager" });
}

/** Has a new person do something, and takes the right away from them. */
async function endsForPeople(
  t: TestContext,
  {
    what,
    names,
    revoke,
  }: {
    readonly what: string;
    readonly names: readonly (keyof typeof calls)[];
    readonly revoke: (accountId: string, personId: string) => Promise<unknown>;
  },
): Promise<void> {
  const accountId = await newAccount();
  for (const name of names) {
    const page = await newManager(accountId);
    const headers = { ...fromConsole, cookie: page.cookie };
    const call = await ask(t, { ...calls[name](accountId), headers });
    const end = () => revoke(accountId, page.personId);
    await endsInTime(t, `${what}, ${name}`, { call, revoke: end });
  }
  const page = await newManager(accountId);
  const body = { name: "board", kind: "view", view };
  const made = await page.request("POST", [accountId, "/v1/links"], body);
  const path = new URL(made.json<CreatedLinkResponse>().address).pathname;
  const call = await ask(t, { path });
  const end = () => revoke(accountId, page.personId);
  await endsInTime(t, `${what}, a link`, { call, revoke: end });
}

test("a person who is removed", async (t) => {
  const { control, clock } = one.services;
  await endsForPeople(t, {
    what: "removed",
    names: ["question", "report", "board"],
    revoke: (accountId, personId) =>
      removePerson(control, accountId, { personId, now: clock.now() }),
  });
});

test("a person whose role is lowered", async (t) => {
  const { control, clock } = one.services;
  await endsForPeople(t, {
    what: "lowered",
    names: ["report"], // a viewer may ask questions
    revoke: (accountId, personId) =>
      changeRole(control, accountId, { personId, role: "viewer", now: clock.now() }),
  });
});

test("a person who signs out", async (t) => {
  const accountId = await newAccount();
  for (const name of ["question", "report", "board"] as const) {
    const page = await newManager(accountId);
    const headers = { ...fromConsole, cookie: page.cookie };
    const call = await ask(t, { ...calls[name](accountId), headers });
    const revoke = () => page.ask("DELETE", "/console/person");
    await endsInTime(t, `signed out, ${name}`, { call, revoke });
  }
});

test("a key that is revoked while its reply is read", async (t) => {
  const competitors = Array.from({ length: 999 }, (_, number) => ({ name: `Company ${number}` }));
  const accountId = await newAccount({ competitors });
  const { token, revoke } = await newKey(accountId);
  const connection = once(two.app.server, "connection");
  const body = JSON.stringify({ interval: "daily", filters: { timeRange: daysFrom(200) } });
  const headers = { ...bearer(token), "content-type": "application/json" };
  const call = request(new URL(question.path, url), { method: "POST", headers, agent: false });
  t.after(() => void call.destroy());
  call.end(body);
  const [reply] = (await once(call, "response")) as [IncomingMessage];
  reply.pause(); // 10 MB, of which the rest stays at the node
  const [socket] = (await connection) as [Socket];
  await until("bytes that wait", () => (socket.writableLength > 0 ? true : null));
  const startedMs = performance.now();
  const closed = once(socket, "close");
  await revoke();
  await closed;
  const tookMs = Math.round(performance.now() - startedMs);
  t.diagnostic(`key, a download: ${tookMs} ms`);
  assert.ok(tookMs <= endedWithinMs, `it ended after ${tookMs} ms`);
});

// The last one: its thread goes on asking, for as long as an engine may take.
test("a key that is revoked while answers are counted to be removed", async (t) => {
  const { token, revoke } = await newKey(await newAccount());
  const body = { filters: { timeRange: sampleRange }, dryRun: true };
  const call = await ask(t, { path: deleteAnswersPath, body, headers: bearer(token) });
  await endsInTime(t, "key, a removal", { call, revoke });
});
