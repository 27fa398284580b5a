import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { post, rpc, toolCall } from "@sightline/test-kit/mcp-messages.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import {
  type AfterHook,
  sampleAnswers,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import type { TestReply, TestService } from "@sightline/test-kit/test-service.ts";
import type { KeyProperties } from "../keys/key-ring.ts";
import { revokeKey } from "../keys/key-store.ts";

const list = rpc("tools/list");

// One service for all: each test has keys of its own, with limits of their own.
const hooks: (() => Promise<void>)[] = [];
const whole: AfterHook = { after: (hook) => void hooks.unshift(hook) };
let service: TestService;
let accountId: string;
before(async () => {
  const settings = { rateLimit: "off", dailyQuota: "off", trustedProxies: "127.0.0.1" } as const;
  ({ service, accountId } = await startSample(whole, settings));
});
after(async () => {
  for (const hook of hooks) await hook();
});

/** How many of the day's calls the fields of a reply say are left. */
function left(reply: TestReply): number {
  return Number(/"day";r=(\d+)/.exec(String(reply.headers["ratelimit"]))?.[1]);
}

/** A key, and a session of it, which was the first of its calls. */
async function credentials(properties: Partial<KeyProperties> = {}) {
  const { keyRing } = service.services;
  const standard = { name: "test", expiresAt: null };
  const { key, keyId } = await keyRing.create(accountId, { ...standard, ...properties });
  const reply = await service.post("/v1/auth/accesskey/exchange", { token: key });
  return { key, keyId, token: reply.json<{ sessionJwt: string }>().sessionJwt };
}

/** The tool's data or error in a reply. */
function result(reply: TestReply) {
  assert.equal(reply.status, 200, reply.body);
  return reply.json<{
    result: { isError?: boolean; content: { text: string }[]; structuredContent?: object };
  }>().result;
}

/** Days of which both have answers. */
const series = { metric: "mentions", period: "2026-01-05/2026-01-08" };

/** What is sent, and how many calls the HTTP interface would take for what it asks. */
const costs: readonly (readonly [message: object | string, calls: number])[] = [
  [toolCall("describe_workspace"), 1],
  [toolCall("find_prompts"), 1],
  [toolCall("show_answers"), 2],
  [toolCall("summary", { period: "2026-01", by: "topic" }), 2],
  [toolCall("compare", { filters: { topics: ["Storage"] } }), 2],
  [toolCall("plan", { period: "2026-01", filters: { topics: ["Storage"] } }), 2],
  // No topic is left to be asked for.
  [toolCall("summary", { by: "topic", offset: 9 }), 1],
  [toolCall("time_series", series), 1],
  [toolCall("time_series", { ...series, filters: { topics: ["Storage"] } }), 2],
  [toolCall("time_series", { ...series, filters: { topics: [sampleIds.storage] } }), 1],
  [toolCall("time_series", { metric: "mentions" }), 2],
  [toolCall("top_sources", { period: "2026-01" }), 1],
  [toolCall("top_sources", { period: "2026-01", compare: "before" }), 2],
  [toolCall("top_sources", {}), 2],
  [toolCall("top_sources", { period: "2026-01", rankBy: "opportunity" }), 1],
  // What asks nothing is a call of its own.
  [toolCall("explain_metric", { metric: "rank" }), 1],
  [toolCall("time_series", { metric: "wrong" }), 1],
  [toolCall("no_such_tool"), 1],
  [list, 1],
  [{ jsonrpc: "2.0", method: "notifications/initialized" }, 1],
  ["{", 1],
  ["[]", 1],
];

test("a message costs the questions that it asks, and one when it asks none", async () => {
  const { token } = await credentials({ dailyQuota: 1_000 });
  let before = left(await post(service, token, list));
  for (const [message, calls] of costs) {
    const answered = await post(service, token, message);
    const after = left(await post(service, token, list));
    assert.equal(before - after - 1, calls, JSON.stringify(message));
    if (answered.status < 400) assert.ok(left(answered) >= after, "the reply tells what is left");
    before = after;
  }
});

test("over the limit: 429 for what asks nothing, a tool's error for what asks", async () => {
  const { token } = await credentials({ dailyQuota: 3 });
  const sources = toolCall("top_sources", { period: "2026-01", compare: "before" });
  const spent = await post(service, token, sources);
  assert.equal(left(spent), 0);
  for (const message of [list, toolCall("explain_metric", { metric: "rank" }), "{"]) {
    const refused = await post(service, token, message);
    assertProblem(refused, "quota_exhausted");
    assert.equal(refused.headers["retry-after"], String(12 * 3_600));
  }
  const { isError, content } = result(await post(service, token, toolCall("find_prompts")));
  assert.equal(isError, true);
  assert.match(
    content[0]?.text ?? "",
    /^The daily quota of 3 calls is used up.* for 43200 seconds: tell the user/,
  );
});

test("a key's rate: the error says how long to wait, and then it works", async () => {
  const { token } = await credentials({ ratePerSecond: 2 });
  const compare = toolCall("compare", { period: "2026-01-07", compareWith: "2026-01-05" });
  assert.equal(result(await post(service, token, compare)).isError, undefined);
  const { isError, content } = result(await post(service, token, compare));
  assert.equal(isError, true);
  assert.match(
    content[0]?.text ?? "",
    /The rate limit of this key is 2\/s\..* Wait \d+ seconds, then call/,
  );
  service.clock.advance(2_000);
  assert.equal(result(await post(service, token, compare)).isError, undefined);
});

test("a key is exchanged once for 80 % of a session's life, also by concurrent calls", async () => {
  const { key } = await credentials({ dailyQuota: 1_000 });
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(service, key, list)));
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
  const calls = async () => 1_000 - left(await post(service, key, list));
  assert.equal(await calls(), 8, "two exchanges, one of them ours, and six lists");
  service.clock.advance(479_000);
  assert.equal(await calls(), 9);
  service.clock.advance(1_000);
  assert.equal(await calls(), 11, "another exchange");
});

test("a key that is revoked, or expired, is refused at the next call", async () => {
  const { key, keyId, token } = await credentials();
  assert.equal((await post(service, key, list)).status, 200);
  await revokeKey(service.services.control, keyId, service.clock.now());
  assertProblem(await post(service, key, list), "key_invalid");
  assertProblem(await post(service, token, list), "session_invalid");

  const brief = await credentials({ expiresAt: service.clock.now() + 60_000 });
  const { token: session } = await credentials();
  assert.equal((await post(service, brief.key, list)).status, 200);
  service.clock.advance(60_000);
  assertProblem(await post(service, brief.key, list), "key_invalid");
  service.clock.advance(546_000);
  assertProblem(await post(service, session, list), "session_invalid");
});

test("guessing keys is throttled by the caller's own address", async () => {
  const { key } = await credentials();
  const ask = (credential: string, address: string) =>
    post(service, { token: credential, headers: { "x-forwarded-for": address } }, list);
  for (let guess = 0; guess < 10; guess++) {
    assertProblem(await ask(`sl_guess${guess}`, "192.0.2.1"), "key_invalid");
  }
  const refused = await ask(key, "192.0.2.1");
  assertProblem(refused, "rate_limited");
  assert.ok(Number(refused.headers["retry-after"]) > 0);
  assert.equal((await ask(key, "192.0.2.2")).status, 200);
});

/** Another account, with the sample's topics and prompts under the same ids, and other names. */
const neighbour = {
  account: { name: "Umbrella" },
  brand: { name: "Umbrella", domains: ["umbrella.com"] },
  competitors: [{ name: "Tyrell", domains: ["tyrell.com"] }],
  topics: sampleWorkspace.topics,
  prompts: sampleWorkspace.prompts,
};

/** Everything that a tool may be asked, with ids and names of both accounts. */
const questions = [
  toolCall("describe_workspace"),
  toolCall("find_prompts"),
  ...["Acme", "Globex", sampleIds.globex].map((name) =>
    toolCall("time_series", { metric: "mentions", period: "2026-01", competitors: [name] }),
  ),
  toolCall("compare", { period: "2026-01", why: { metric: "mentions", by: "prompt" } }),
  ...["provider", "topic", "prompt", "region", "branded"].map((by) =>
    toolCall("summary", { by, period: "2026-01" }),
  ),
  ...["url", "domain"].map((groupBy) => toolCall("top_sources", { groupBy, period: "2026-01" })),
  toolCall("time_series", {
    metric: "mentions",
    period: "2026-01",
    filters: { prompts: [sampleIds.storagePrompt] },
  }),
];

async function toldTo(credential: string): Promise<string> {
  const replies = [];
  for (const message of questions) replies.push(await post(service, credential, message));
  return replies.map((reply) => JSON.stringify(result(reply))).join("\n");
}

test("accounts are walls: neither sees a word of the other, in turns of one service", async () => {
  const { key, token } = await credentials();
  const otherId = await service.apply(neighbour);
  const [first] = sampleAnswers;
  const citations = [{ url: "https://umbrella.com/u" }, { url: "https://tyrell.com/t" }];
  await service.import(otherId, [{ ...first, text: "Umbrella, then Tyrell.", citations }]);
  const otherKey = await service.key(otherId);
  const session = await service.session(otherId);
  const [ours, theirs] = [await toldTo(token), await toldTo(session)];
  assert.match(ours, /Acme/);
  assert.match(theirs, /Umbrella/);
  assert.doesNotMatch(ours, /Umbrella|Tyrell/i);
  // Its own question may be repeated to it in an error; the other's data may not.
  assert.doesNotMatch(theirs, /acme\.com|globex\.com|example\.org|Initech/i);
  assert.equal(theirs.match(/There is no tracked entity/g)?.length, 3);
  // The same by keys, whose sessions the service remembers.
  assert.deepEqual([await toldTo(key), await toldTo(otherKey)], [ours, theirs]);
});
