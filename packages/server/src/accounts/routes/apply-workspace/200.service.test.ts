import assert from "node:assert/strict";
import { test } from "node:test";
import type { AppliedWorkspace, WorkspaceResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  type AfterHook,
  sampleIds,
  sampleRange,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import type { TestReply } from "@sightline/test-kit/test-service.ts";
import { oneTurn } from "@sightline/test-kit/turns-during.ts";
import { allAccounts, workspaceOf } from "../../account-store.ts";

const path = "/v1/workspace";
const none = { created: 0, updated: 0, retired: 0, unchanged: 0 };
const noChanges = { created: [], updated: [], retired: [], returned: [] };
const noEffect = { answersNoLongerCounted: 0, answersCountedAgain: 0 };
const [storagePrompt, hostingPrompt] = sampleWorkspace.prompts;

/** The sample, and a session that may manage it. */
async function start(t: AfterHook) {
  const { service, accountId } = await startSample(t);
  const token = await service.session(accountId, ["read", "manage"]);
  const authorization = `Bearer ${token}`;
  const put = (body: string | object, headers: Record<string, string> = {}, query = "") => {
    const isText = typeof body === "string";
    const type = isText ? "application/yaml" : "application/json";
    return service.request("PUT", `${path}${query}`, {
      headers: { authorization, "content-type": type, ...headers },
      body: isText ? body : JSON.stringify(body),
    });
  };
  const get = () => service.request("GET", path, { headers: { authorization } });
  return { service, accountId, token, put, get };
}

function applied(reply: TestReply): AppliedWorkspace {
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(reply.headers["cache-control"], "no-store");
  return reply.json();
}

test("the same file again changes nothing, and keeps the tag", async (t) => {
  const { service, accountId, put, get } = await start(t);
  const tag = (await get()).headers["etag"];
  assert.match(String(tag), /^"\d+"$/);
  const reply = await put(sampleWorkspace);
  const report = { accountId, accountName: "Acme", ...none, unchanged: 8 };
  const expected = { ...report, changes: noChanges, dryRun: false, ...noEffect };
  assert.deepEqual(applied(reply), expected);
  assert.equal(reply.headers["etag"], tag);
  (await ServedSchemas.of(service)).assertValid("AppliedWorkspaceDto", reply.json());
});

test("a change is told with names, ids and answers, and counts", async (t) => {
  const { service, accountId, token, put, get } = await start(t);
  const before = (await get()).headers["etag"];
  const file = {
    ...sampleWorkspace,
    account: "Acme Inc.",
    competitors: ["Hooli", sampleWorkspace.competitors[0]],
    prompts: [hostingPrompt],
  };
  const reply = await put(file);
  const { changes, ...counts } = applied(reply);
  assert.deepEqual(counts, {
    accountId,
    accountName: "Acme Inc.",
    ...none,
    dryRun: false,
    ...noEffect,
    created: 1,
    updated: 1,
    retired: 2,
    unchanged: 5,
    answersNoLongerCounted: 2,
  });
  const hooli = changes.created[0]?.id ?? "";
  assert.deepEqual(changes, {
    created: [{ kind: "competitor", id: hooli, name: "Hooli" }],
    updated: [{ kind: "account", id: accountId, name: "Acme Inc." }],
    retired: [
      { kind: "competitor", id: sampleIds.globex, name: "Globex" },
      { kind: "prompt", id: storagePrompt.id, name: storagePrompt.text },
    ],
    returned: [],
  });
  await service.settle(accountId);
  const now = await get();
  assert.equal(now.headers["etag"], reply.headers["etag"]);
  assert.notEqual(now.headers["etag"], before);
  const { competitors, answers } = now.json<WorkspaceResponse>();
  assert.deepEqual([competitors.map(({ name }) => name), answers.count], [["Hooli", "Initech"], 1]);

  const back = applied(await put({ ...sampleWorkspace, topics: ["Storage", "Hosting"] }));
  // Topics without ids are others, and so both prompts change.
  assert.deepEqual(
    [back.changes.returned.map(({ name }) => name), back.answersCountedAgain],
    [["Globex", storagePrompt.text], 2],
  );
  await put(sampleWorkspace);
  await service.settle(accountId);
  const body = { interval: "monthly", filters: { timeRange: sampleRange } };
  const asked = await service.post("/v1/analytics/brands/mentions", { token, body });
  const { series } = asked.json<{ series: { data: { value: number }[] }[] }>();
  assert.equal(series[0]?.data[0]?.value, 2 / 3);
});

test("a dry run says the same and changes nothing", async (t) => {
  const { put, get } = await start(t);
  const file = { ...sampleWorkspace, prompts: [], topics: [] };
  const before = await get();
  const dry = await put(file, {}, "?dryRun=true");
  assert.equal(dry.headers["etag"], before.headers["etag"]);
  assert.equal((await get()).body, before.body);
  const done = await put(file, {}, "?dryRun=false");
  assert.deepEqual(applied(dry), { ...applied(done), dryRun: true });
  assert.equal(applied(done).answersNoLongerCounted, 3);
});

test("YAML with its short forms", async (t) => {
  const { service, accountId, put, get } = await start(t);
  const file = [
    "# A comment",
    "account: Other",
    "brand: Acme",
    "competitors: [Globex, { name: Hooli, domains: [hooli.com] }]",
    "topics: [Storage]",
    "prompts:",
    "  - Which storage?",
    "  - { text: Is Acme good?, topic: Storage }",
    "",
  ].join("\n");
  const { accountName, created } = applied(await put(file));
  assert.deepEqual([accountName, created], ["Other", 6]);
  await service.settle(accountId);
  const { brand, competitors, prompts } = (await get()).json<WorkspaceResponse>();
  assert.deepEqual(
    [brand, ...competitors].map(({ name }) => name),
    ["Acme", "Globex", "Hooli"],
  );
  assert.deepEqual(
    prompts.map(({ text, topicId, branded }) => [text, topicId !== null, branded]),
    [
      ["Is Acme good?", true, true],
      ["Which storage?", false, false],
    ],
  );
});

test("the account is the caller's, whatever its name, also that of another account", async (t) => {
  const { service, accountId, put } = await start(t);
  const other = await service.apply({ account: { name: "Twin" }, brand: { name: "Twin" } });
  const reply = applied(await put({ account: { name: "Twin" }, brand: { name: "Mine" } }));
  assert.deepEqual([reply.accountId, reply.accountName], [accountId, "Twin"]);
  const { control } = service.services;
  assert.equal((await workspaceOf(control, other))?.entities[0]?.name, "Twin");
  assert.equal((await workspaceOf(control, accountId))?.entities[0]?.name, "Mine");
  assert.equal((await allAccounts(control)).length, 2);
});

test("If-Match with the tag, in a list, or an asterisk", async (t) => {
  const { put, get } = await start(t);
  for (const around of [(tag: string) => tag, (tag: string) => `"0", ${tag},W/"1"`, () => "*"]) {
    const tag = String((await get()).headers["etag"]);
    const file = { ...sampleWorkspace, brand: { name: `Acme ${tag}` } };
    applied(await put(file, { "if-match": around(tag) }));
  }
});

test("a large file is applied while others are answered", async (t) => {
  const { service, accountId, put, get } = await start(t);
  const prompts = Array.from({ length: 20_000 }, (_, place) => `Which is best for case ${place}?`);
  let isDone = false;
  const putting = put({ ...sampleWorkspace, prompts }).finally(() => {
    isDone = true;
  });
  let answered = 0;
  while (!isDone) {
    assert.equal((await service.request("GET", "/healthz")).status, 200);
    answered++;
    await oneTurn();
  }
  assert.equal(applied(await putting).changes.created.length, 20_000);
  assert.ok(answered > 10, `${answered} others were answered`);
  await service.settle(accountId);
  assert.equal((await get()).json<WorkspaceResponse>().prompts.length, 20_000);
});

test("a small file waits for no large one, however many accounts send them", async (t) => {
  const { service, put } = await start(t);
  applied(await put(sampleWorkspace)); // its thread has started
  const texts = Array.from({ length: 10_000 }, (_, place) => `Which is best for case ${place}?`);
  let done = 0;
  const senderOf = async (account: string) => {
    const file = { account, brand: account, prompts: texts };
    const token = await service.session(await service.apply({ account, brand: account }), [
      "manage",
    ]);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    return async () => {
      applied(await service.request("PUT", path, { headers, body: JSON.stringify(file) }));
      done++;
    };
  };
  const [first, second] = [await senderOf("First"), await senderOf("Second")];
  const others = [first(), second(), first(), second()];
  await others[0];
  const before = done;
  applied(await put(sampleWorkspace));
  assert.ok(done - before < 2, `${done - before} large files came first`);
  await Promise.all(others);
});
