import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type ServerResponse } from "node:http";
import { test } from "node:test";
import type { CreatedLinkResponse, LinkRequest } from "@sightline/contract";
import { PersonPage } from "@sightline/test-kit/person-page.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import {
  sampleAnswers,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import type { TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { linkPath } from "../src/links/link-request.ts";
import { serviceApp } from "../src/server.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };
const overview = { page: "overview", period: "all" } as const;
const password = "correct horse";
const year = { from: "2026-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z" };

type Wanted = Partial<Omit<LinkRequest, "expiresIn">> & { readonly expiresAt?: number | null };

/** Makes a link of an account. @returns where it leads, and what asks there. */
async function madeLink(service: TestService, accountId: string, wanted: Wanted = {}) {
  const asked = { name: "board", kind: "view", view: overview, expiresAt: null } as const;
  const made = await service.services.links.create(accountId, { ...asked, ...wanted });
  assert.ok(made !== null);
  const path = linkPath("view", made.token);
  return {
    ...made,
    path,
    open: (headers: Readonly<Record<string, string>> = {}) =>
      service.request("GET", linkPath(made.link.kind, made.token), { headers }),
    type: (text: string, headers: Readonly<Record<string, string>> = {}) =>
      service.request("POST", path, {
        headers: { ...form, ...headers },
        body: new URLSearchParams({ password: text }).toString(),
      }),
  };
}

/** The fields that do not differ from reply to reply. */
function fieldsOf({ headers }: TestReply) {
  const { "x-request-id": _, date: __, "content-length": ___, ...fields } = headers;
  return fields;
}

const everyField = {
  "cache-control": "no-store",
  connection: "keep-alive",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  "content-type": "text/html; charset=utf-8",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "x-robots-tag": "noindex, nofollow",
};

test("a page shows its view with days, filters and age, and nobody may keep it", async (t) => {
  const { service, accountId } = await startSample(t);
  const filters = { topics: [{ id: sampleIds.storage }], providers: ["OPENAI" as const] };
  const { open } = await madeLink(service, accountId, {
    name: "Storage for <the board>",
    view: { page: "prompts", period: "2026-01-01..2026-01-31", filters },
  });
  const shown = await open();
  assert.equal(shown.status, 200, shown.body);
  assert.deepEqual(fieldsOf(shown), everyField);
  const { body } = shown;
  assert.match(body, /<h1>Storage for &lt;the board&gt;<\/h1>/);
  for (const text of ["Which storage?", "ChatGPT", "Storage", "Live: answers up to 2026-01-07"]) {
    assert.ok(body.includes(text), text);
  }
  assert.match(body, /<meta name="robots" content="noindex/);
  for (const text of ["Is Acme good at hosting?", "It depends.", "<script", "Hosting"]) {
    assert.equal(body.includes(text), false, text);
  }
});

test("texts of answers are shown where that was said, until they are removed", async (t) => {
  const { service, accountId } = await startSample(t);
  const answers = Array.from({ length: 3 }, (_, sample) => ({
    ...sampleAnswers[1],
    sample: sample + 1,
    text: "I recommend Acme for hosting.",
  }));
  await service.import(accountId, answers);
  const view = { page: "portrayal", period: "all" } as const;
  const without = await madeLink(service, accountId, { view });
  const with_ = await madeLink(service, accountId, { view, showsEvidence: true });
  assert.equal((await without.open()).body.includes("I recommend Acme"), false);
  assert.ok((await with_.open()).body.includes("I recommend Acme"));
  const token = await service.session(accountId, ["manage"]);
  const body = {
    filters: { timeRange: year, promptIds: [sampleIds.hostingPrompt] },
    dryRun: false,
  };
  const removed = await service.post("/v1/answers/delete", { token, body });
  assert.equal(removed.status, 200, removed.body);
  await service.settle(accountId);
  assert.equal((await with_.open()).body.includes("I recommend Acme"), false);
});

test("whatever is wrong with a link, the same words say that there is nothing", async (t) => {
  const { service, accountId } = await startSample(t);
  const { keyRing, control, links, clock } = service.services;
  const gone: TestReply[] = [];
  const unknown = ["A".repeat(22), "x", "%00", "A".repeat(23), `${"A".repeat(21)}=`];
  for (const token of unknown) gone.push(await service.request("GET", `/share/${token}`));
  const ofKind = await madeLink(service, accountId, { kind: "csv" });
  gone.push(await service.request("GET", ofKind.path));
  gone.push(await service.request("GET", `${ofKind.path}/image.svg`));
  gone.push(await ofKind.type("whatever"));

  const expiring = await madeLink(service, accountId, { expiresAt: clock.now() + 1_000 });
  assert.equal((await expiring.open()).status, 200);
  service.clock.advance(999);
  assert.equal((await expiring.open()).status, 200);
  service.clock.advance(1);
  gone.push(await expiring.open());

  const { keyId, record } = await keyRing.create(accountId, { name: "of a link", expiresAt: null });
  const actor = { kind: "key", id: keyId, name: record.name, requestId: null } as const;
  const properties = { name: "of a key", kind: "view", view: overview, expiresAt: null } as const;
  const ofKey = await links.create(accountId, properties, { ...control, actor });
  const open = () => service.request("GET", `/share/${ofKey?.token}`);
  assert.equal((await open()).status, 200);
  await keyRing.revoke(keyId);
  gone.push(await open());

  const [first] = gone;
  assert.ok(first !== undefined);
  for (const reply of gone) {
    assert.deepEqual([reply.status, reply.body, fieldsOf(reply)], [404, first.body, everyField]);
  }
  assert.match(first.body, /<h1>There is nothing here<\/h1>/);
});

test("a deleted account's links show nothing", async (t) => {
  const { service, accountId } = await startSample(t);
  const { open } = await madeLink(service, accountId, { kind: "csv" });
  assert.equal((await open()).status, 200);
  const { deleteAccount } = await import("../src/accounts/account-deletions.ts");
  await deleteAccount(service.services.control, accountId, service.clock.now());
  assert.equal((await open()).status, 404);
});

test("a password is asked for, and a browser that gave it sees the page for hours", async (t) => {
  const { service, accountId } = await startSample(t);
  const { open, type, path } = await madeLink(service, accountId, { password });
  const asked = await open();
  assert.deepEqual([asked.status, fieldsOf(asked)], [200, everyField]);
  assert.match(asked.body, /<form method="post">/);
  assert.doesNotMatch(asked.body, /Acme|board/);

  const wrong = await type("correct mouse");
  assert.deepEqual([wrong.status, fieldsOf(wrong)], [403, everyField]);
  assert.match(wrong.body, /This is not the password\./);
  assert.doesNotMatch(wrong.body, /Acme|board/);

  service.clock.advance(1_000);
  const right = await type(password, { "x-forwarded-proto": "https" });
  const { location, "set-cookie": cookie, ...fields } = fieldsOf(right);
  assert.deepEqual([right.status, location, fields, right.body], [303, path, everyField, ""]);
  assert.match(
    String(cookie),
    new RegExp(`^sightline-share=\\d+\\.[\\w-]{43}; Path=${path}; HttpOnly; SameSite=Strict$`),
  );
  const pass = String(cookie).split(";")[0] ?? "";
  const seen = await open({ cookie: `other=1; sightline-share=x; ${pass}` });
  assert.equal(seen.status, 200);
  assert.match(seen.body, /<h1>board<\/h1>/);

  const second = await madeLink(service, accountId, { password });
  for (const [link, cookie] of [
    [second, pass],
    [{ open }, pass.replace(/=\d/, "=9")],
    [{ open }, pass.slice(0, -1)],
    [{ open }, "sightline-share="],
  ] as const) {
    assert.match((await link.open({ cookie })).body, /<form method="post">/);
  }
  service.clock.advance(12 * 3_600_000);
  assert.match((await open({ cookie: pass })).body, /<form method="post">/);
});

test("over https, as a trusted proxy says, the cookie goes over https alone", async (t) => {
  const { service, accountId } = await startSample(t, { trustedProxies: "127.0.0.1" });
  const { type } = await madeLink(service, accountId, { password });
  const { headers } = await type(password, { "x-forwarded-proto": "https" });
  assert.match(String(headers["set-cookie"]), /; SameSite=Strict; Secure$/);
});

test("passwords are tried one a second, and no address tries for long", async (t) => {
  const { service, accountId } = await startSample(t, { trustedProxies: "127.0.0.1" });
  const { type } = await madeLink(service, accountId, { password });
  const from = (host: number) => ({ "x-forwarded-for": `192.0.2.${host}` });
  const burst = [await type("1", from(1)), await type("2", from(2)), await type("3", from(3))];
  assert.deepEqual(
    burst.map(({ status }) => status),
    [403, 403, 429],
  );
  const [, , refused] = burst;
  assert.equal(refused?.headers["retry-after"], "1");
  assert.deepEqual(fieldsOf(refused as TestReply), {
    ...everyField,
    "retry-after": "1",
    ...limitFields(refused),
  });
  assert.match(refused?.body ?? "", /Wait 1 seconds/);
  // Ten failures a minute: one of them is allowed again every six seconds.
  for (let guess = 1; guess < 11; guess++) {
    service.clock.advance(1_000);
    assert.equal((await type("wrong", from(1))).status, 403);
  }
  service.clock.advance(1_000);
  assert.equal((await type(password, from(1))).status, 429, "the address failed too often");
  service.clock.advance(1_000);
  assert.equal((await type(password, from(4))).status, 303);
});

/** What the limit says of itself in a refusal. */
function limitFields(reply: TestReply | undefined) {
  const { ratelimit, "ratelimit-policy": policy } = reply?.headers ?? {};
  return { ratelimit, "ratelimit-policy": policy };
}

test("an address that guesses tokens waits; one whose link has ended does not", async (t) => {
  const { service, accountId } = await startSample(t, { trustedProxies: "127.0.0.1" });
  const ended = await madeLink(service, accountId, { expiresAt: service.clock.now() });
  const good = await madeLink(service, accountId, { kind: "csv" });
  const from = { "x-forwarded-for": "192.0.2.1" };
  for (let time = 0; time < 12; time++) assert.equal((await ended.open(from)).status, 404);
  for (let guess = 0; guess < 10; guess++) {
    const path = `/share/${String(guess).repeat(22)}`;
    assert.equal((await service.request("GET", path, { headers: from })).status, 404);
  }
  const refused = await good.open(from);
  assert.equal(refused.status, 429);
  assert.match(refused.body, /<h1>Too many requests<\/h1>/);
  assert.equal((await good.open({ "x-forwarded-for": "192.0.2.2" })).status, 200);
});

test("a link has calls of its own, and leaves those of the account's keys alone", async (t) => {
  const { service, accountId, token } = await startSample(t, { rateLimit: "5/s" });
  const { open } = await madeLink(service, accountId, { kind: "csv" });
  const replies = await Promise.all(Array.from({ length: 25 }, () => open()));
  const statuses = replies.map(({ status }) => status).toSorted();
  assert.deepEqual(statuses, [...Array(20).fill(200), ...Array(5).fill(429)]);
  const body = {
    interval: "daily",
    filters: { timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" } },
  };
  const asked = await service.post("/v1/analytics/brands/mentions", { token, body });
  assert.equal(asked.status, 200, asked.body);
  service.clock.advance(1_000);
  assert.equal((await open()).status, 200);
});

test("no line of the log and no metric has a token, a password or a pass", async (t) => {
  const { service, accountId } = await startSample(t);
  const { logger, lines } = recordedLog();
  const app = serviceApp({ ...service.services, logger });
  t.after(() => app.close());
  const { link, token, path } = await madeLink(service, accountId, { password });
  const typed = (text: string) =>
    app.inject({ method: "POST", url: path, headers: form, payload: `password=${text}` });
  const wrong = await typed("incorrect");
  const right = await typed(password.replace(" ", "+"));
  const [, pass = ""] = /=([^;]+)/.exec(String(right.headers["set-cookie"])) ?? [];
  const cookie = `sightline-share=${pass}`;
  const seen = await app.inject({ url: path, headers: { cookie } });
  const guess = "B".repeat(22);
  const gone = await app.inject({ url: `/share/${guess}` });
  const other = await app.inject({ method: "PUT", url: `${path}/x` });
  const codes = [wrong, right, seen, gone, other].map(({ statusCode }) => statusCode);
  assert.deepEqual(codes, [403, 303, 200, 404, 404]);
  const said = JSON.stringify(lines);
  const metrics = (await app.inject({ url: "/metrics" })).body;
  for (const secret of [token, guess, "incorrect", password, pass]) {
    assert.equal(said.includes(secret) || metrics.includes(secret), false, secret);
  }
  const requests = lines.filter(({ msg }) => msg === "request");
  assert.deepEqual(
    requests.slice(0, 4).map(({ method, route, status, keyId }) => [method, route, status, keyId]),
    [
      ["POST", "/share/:token", 403, undefined],
      ["POST", "/share/:token", 303, undefined],
      ["GET", "/share/:token", 200, link.id],
      ["GET", "/share/:token", 404, undefined],
    ],
  );
});

test("what is not a form, or too long a one, is refused with a page", async (t) => {
  const { service, accountId } = await startSample(t);
  const { path } = await madeLink(service, accountId, { password });
  const json = { "content-type": "application/json" };
  const notAForm = await service.request("POST", path, { headers: json, body: "{}" });
  assert.deepEqual([notAForm.status, fieldsOf(notAForm)], [415, everyField]);
  const long = await service.request("POST", path, { headers: form, body: "x".repeat(5_000) });
  assert.equal(long.status, 413);
  assert.match(long.body, /<h1>The page cannot be shown<\/h1>/);
  const empty = await service.request("POST", path, { headers: form, body: "" });
  assert.equal(empty.status, 403);
});

test("a table is CSV for programs, without formulas", async (t) => {
  const { service, accountId } = await startSample(t);
  const [acme, globex] = ["=Acme", 'Globex, "the" +1'];
  const { brand, competitors } = sampleWorkspace;
  await service.apply({
    ...sampleWorkspace,
    account: { id: accountId, name: "Acme" },
    brand: { ...brand, name: acme },
    competitors: competitors.map((each) =>
      each.name === "Globex" ? { ...each, name: globex } : each,
    ),
  });
  await service.settle(accountId);
  const view = { ...overview, metric: "citations" } as const;
  const course = await madeLink(service, accountId, { kind: "csv", view });
  const shown = await course.open();
  const type = "text/csv; charset=utf-8; header=present";
  assert.deepEqual(fieldsOf(shown), { ...everyField, "content-type": type });
  assert.equal(
    shown.body,
    [
      "date,name,value,low,high,numerator,denominator",
      "2026-01-05,'=Acme,0.5,,,1,2",
      "2026-01-06,'=Acme,,,,0,0",
      "2026-01-07,'=Acme,0,,,0,1",
      '2026-01-05,"Globex, ""the"" +1",0,,,0,2',
      '2026-01-06,"Globex, ""the"" +1",,,,0,0',
      '2026-01-07,"Globex, ""the"" +1",1,,,1,1',
      "2026-01-05,Initech,0,,,0,2",
      "2026-01-06,Initech,,,,0,0",
      "2026-01-07,Initech,0,,,0,1",
      "",
    ].join("\r\n"),
  );
  const sources = await madeLink(service, accountId, {
    kind: "csv",
    view: { page: "sources", period: "all", filters: { providers: ["OPENAI"] } },
  });
  assert.equal(
    (await sources.open()).body,
    [
      "source,class,citations,share,answers,with brand,with competitor only",
      "example.org,thirdParty,2,0.5,2,1,1",
      "acme.com,own,1,0.25,1,1,0",
      "globex.com,competitor,1,0.25,1,0,1",
      "",
    ].join("\r\n"),
  );
});

test("a table goes on with new answers, and one of fixed days does not", async (t) => {
  const { service, accountId } = await startSample(t);
  const rolling = await madeLink(service, accountId, {
    kind: "csv",
    view: { ...overview, period: "7d" },
  });
  const fixed = await madeLink(service, accountId, {
    kind: "csv",
    view: { ...overview, period: "2026-01-01..2026-01-07" },
  });
  const dates = ({ body }: TestReply) =>
    [body.split("\r\n")[1], body.split("\r\n")[7]].map((line) => line?.slice(0, 10));
  assert.deepEqual(dates(await rolling.open()), ["2026-01-01", "2026-01-07"]);
  const before = await fixed.open();
  assert.deepEqual(dates(before), ["2026-01-01", "2026-01-07"]);
  await service.import(accountId, [{ ...sampleAnswers[0], answeredAt: "2026-02-03T00:00:00Z" }]);
  assert.deepEqual(dates(await rolling.open()), ["2026-01-28", "2026-02-03"]);
  assert.equal((await fixed.open()).body, before.body);
});

test("a person's link ends when that person may manage the account no more", async (t) => {
  const { service, accountId } = await startSample(t);
  const owner = await PersonPage.join(service, accountId, {
    email: "ann@example.com",
    role: "owner",
  });
  const bea = await PersonPage.join(service, accountId, {
    email: "bea@example.com",
    role: "manager",
  });
  const body = { name: "board", kind: "csv", view: overview };
  const made = await bea.request("POST", [accountId, "/v1/links"], body);
  const { address, createdBy, keyId } = made.json<CreatedLinkResponse>();
  assert.deepEqual([createdBy, keyId], ["bea", null], made.body);
  const open = async () => (await service.request("GET", new URL(address).pathname)).status;
  assert.equal(await open(), 200);
  const role = { role: "analyst" };
  const lowered = await owner.request("PUT", [accountId, `/v1/people/${bea.personId}`], role);
  assert.equal(lowered.status, 200, lowered.body);
  assert.equal(await open(), 404);
});

test("crawlers are told to stay away", async (t) => {
  const { service } = await startSample(t);
  const reply = await service.request("GET", "/robots.txt");
  assert.deepEqual(
    [reply.status, reply.body, reply.headers["content-type"]],
    [200, "User-agent: *\nDisallow: /share/\n", "text/plain; charset=utf-8"],
  );
});

test("a table that is being read ends when its link is revoked", async (t) => {
  const { service, accountId } = await startSample(t);
  const origin = await service.listen();
  // As large as tables may be: more than the buffers of a connection take.
  const competitors = Array.from({ length: 40 }, (_, index) => `Competitor number ${index}`);
  await service.apply({
    ...sampleWorkspace,
    account: { id: accountId, name: "Acme" },
    competitors,
  });
  await service.settle(accountId);
  const days = { page: "overview", period: "2016-01-01..2026-01-31", interval: "daily" } as const;
  const { path, link } = await madeLink(service, accountId, { kind: "csv", view: days });
  const received = once(service.app.server, "request") as Promise<[unknown, ServerResponse]>;
  const call = get(`${origin}${path}/csv`, (reply) => reply.pause());
  call.on("error", () => undefined);
  const [, reply] = await received;
  const ended = once(reply, "close");
  await until("the reply begins", () => (reply.headersSent ? true : null));
  assert.equal(reply.writableFinished, false);
  const token = await service.session(accountId, ["manage"]);
  const headers = { authorization: `Bearer ${token}` };
  await service.request("DELETE", `/v1/links/${link.id}`, { headers });
  await ended;
  assert.deepEqual([reply.statusCode, reply.writableFinished], [200, false]);
});
