import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkspaceResponse } from "@sightline/contract";
import { toolCall } from "@sightline/test-kit/mcp-messages.ts";
import type { AfterHook } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { turnsDuring } from "@sightline/test-kit/turns-during.ts";
import type { ControlEngine } from "../control/control-engine.ts";
import { serviceApp } from "../server.ts";
import { workspaceOf } from "./account-store.ts";
import { DeclaredWorkspaces, declaredPart, jsonInTurns } from "./declared-workspaces.ts";

/** So many that one turn of the event loop does not do. */
const promptsCount = 5_000;

async function startLarge(t: AfterHook) {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({
    account: { name: "Large" },
    brand: { name: "Large" },
    topics: [{ name: "Storage" }],
    prompts: Array.from({ length: promptsCount }, (_, index) => ({
      text: `Which storage is best for case ${index}, and why would you say so?`,
      topic: "Storage",
    })),
  });
  await service.settle(accountId);
  return { service, accountId, token: await service.session(accountId) };
}

/** Control, and how many workspaces were read from it. */
function counted(control: ControlEngine) {
  const reads: string[] = [];
  const database = control.database.withPlugin({
    transformQuery: ({ node }) => {
      const query = JSON.stringify(node);
      const [, accountId] = /"value":"([0-9a-f-]{36})"/.exec(query) ?? [];
      if (accountId !== undefined && query.includes('"name":"entities"')) reads.push(accountId);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { control: { ...control, database }, reads };
}

const get = (service: TestService, token: string) =>
  service.request("GET", "/v1/workspace", { headers: { authorization: `Bearer ${token}` } });

test("a large workspace is sorted and written in turns, and comes whole", async (t) => {
  const { service, accountId, token } = await startLarge(t);
  const workspace = await workspaceOf(service.services.control, accountId);
  assert.ok(workspace !== null);
  const sorting = declaredPart(workspace);
  const turnsOfSorting = await turnsDuring(sorting);
  // Nine pairs of runs are merged, each in a turn at least.
  assert.ok(turnsOfSorting > 9, `others had ${turnsOfSorting} turns`);
  const turnsOfWriting = await turnsDuring(jsonInTurns(await sorting));
  assert.ok(turnsOfWriting >= 2, `others had ${turnsOfWriting} turns`);
  const { prompts } = (await get(service, token)).json<WorkspaceResponse>();
  assert.equal(prompts.length, promptsCount);
  const texts = prompts.map(({ text }) => text);
  assert.deepEqual(texts, texts.toSorted());
});

const tools = [
  toolCall("describe_workspace"),
  toolCall("find_prompts", { words: "case 77" }),
  toolCall("time_series", { metric: "rank", filters: { topics: ["Storage"] } }),
  toolCall("time_series", { metric: "rank", filters: { prompts: ["Which storage is good?"] } }),
];

test("tools and calls of one revision share what was read once", async (t) => {
  const { service, accountId, token } = await startLarge(t);
  const { control, reads } = counted(service.services.control);
  const workspaces = new DeclaredWorkspaces(control);
  const app = serviceApp({ ...service.services, workspaces });
  t.after(() => app.close());
  const headers = { authorization: `Bearer ${token}` };
  const read = () => app.inject({ method: "GET", url: "/v1/workspace", headers });
  const calls = [...tools, ...tools].map((payload) =>
    app.inject({ method: "POST", url: "/mcp", headers, payload }),
  );
  const replies = await Promise.all([...calls, read(), read()]);
  for (const { statusCode, body } of replies) assert.equal(statusCode, 200, body);
  assert.deepEqual(reads, [accountId]);
  await service.apply({ account: { name: "Large" }, brand: { name: "Larger" } });
  await service.settle(accountId);
  assert.equal((await read()).json<WorkspaceResponse>().brand.name, "Larger");
  assert.deepEqual(reads, [accountId, accountId]);
});

test("the least recently asked is evicted first, and the last one stays", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const ids: string[] = [];
  for (const name of ["One", "Two", "Three"]) {
    ids.push(await service.apply({ account: { name }, brand: { name } }));
  }
  const [one = "", two = "", three = ""] = ids;
  const { control, reads } = counted(service.services.control);
  const read = async (workspaces: DeclaredWorkspaces, ...accounts: readonly string[]) => {
    reads.length = 0;
    for (const accountId of accounts) await workspaces.of(accountId, 1);
    return [...reads];
  };
  const { length: bytes } = (await service.services.workspaces.of(three, 1)).json;
  const ofTwo = new DeclaredWorkspaces(control, 2 * bytes);
  assert.deepEqual(await read(ofTwo, one, two, one, three, one, two), [one, two, three, two]);
  const ofNone = new DeclaredWorkspaces(control, 0);
  assert.deepEqual(await read(ofNone, one, one, two, two, one), [one, two, one]);
  await assert.rejects(ofNone.of("aaaaaaaa-0000-4000-8000-000000000009", 1), /no workspace/);
});
