import assert from "node:assert/strict";
import { test } from "node:test";
import type { WorkspaceResponse } from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import {
  sampleAnswers,
  sampleIds,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";

const path = "/v1/workspace";

const tracked = {
  brand: { id: sampleIds.acme, name: "Acme" },
  competitors: [
    { id: sampleIds.globex, name: "Globex" },
    { id: sampleIds.initech, name: "Initech" },
  ],
  topics: [
    { id: sampleIds.hosting, name: "Hosting" },
    { id: sampleIds.storage, name: "Storage" },
  ],
  prompts: [
    {
      id: sampleIds.hostingPrompt,
      text: "Is Acme good at hosting?",
      topicId: sampleIds.hosting,
      branded: true,
    },
    {
      id: sampleIds.storagePrompt,
      text: "Which storage?",
      topicId: sampleIds.storage,
      branded: false,
    },
  ],
};

const ask = (service: TestService, token: string) =>
  service.request("GET", path, { headers: { authorization: `Bearer ${token}` } });

test("what is tracked, and what the answers that count cover", async () => {
  const { service, token } = await sharedSample();
  const reply = await ask(service, token);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers["content-type"], "application/json; charset=utf-8");
  assert.deepEqual(reply.json(), {
    ...tracked,
    providers: ["OPENAI", "GROK"],
    regions: ["DE", "US"],
    answers: { count: 3, first: "2026-01-05T08:00:00.000Z", last: "2026-01-07T00:00:00.000Z" },
    lastImport: new Date(service.clock.now()).toISOString(),
  });
  (await ServedSchemas.of(service)).assertValid("WorkspaceResponseDto", reply.json());
});

test("without answers the instants are null and the lists empty", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply({ account: { name: "New" }, brand: { name: "New" } });
  await service.settle(accountId);
  const reply = await ask(service, await service.session(accountId));
  assert.equal(reply.status, 200);
  const { brand, ...rest } = reply.json<WorkspaceResponse>();
  assert.equal(brand.name, "New");
  assert.deepEqual(rest, {
    competitors: [],
    topics: [],
    prompts: [],
    providers: [],
    regions: [],
    answers: { count: 0, first: null, last: null },
    lastImport: null,
  });
  (await ServedSchemas.of(service)).assertValid("WorkspaceResponseDto", reply.json());
});

test("an answer that does not count is an import all the same", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const before = (await ask(service, token)).json<WorkspaceResponse>();
  service.clock.advance(60_000);
  const absent = { ...sampleAnswers[2], answeredAt: "2026-02-01T00:00:00Z", region: "FR" };
  await service.import(accountId, [absent]);
  const after = (await ask(service, token)).json<WorkspaceResponse>();
  const lastImport = new Date(service.clock.now()).toISOString();
  assert.deepEqual(after, { ...before, lastImport });

  service.clock.advance(60_000);
  await service.import(accountId, [absent]); // a duplicate: nothing is recorded
  assert.deepEqual((await ask(service, token)).json(), after);
});

test("an import shows, with the first and the last instant to the millisecond", async (t) => {
  const { service, token, accountId } = await startSample(t);
  await ask(service, token);
  const [answer] = sampleAnswers;
  await service.import(accountId, [
    { ...answer, answeredAt: "0001-01-01T00:00:00.001Z", provider: "COPILOT", region: "ZW" },
    { ...answer, answeredAt: "9999-12-31T23:59:59.998Z", provider: "GEMINI", region: "AD" },
  ]);
  const { answers, providers, regions } = (await ask(service, token)).json<WorkspaceResponse>();
  assert.deepEqual(answers, {
    count: 5,
    first: "0001-01-01T00:00:00.001Z",
    last: "9999-12-31T23:59:59.998Z",
  });
  assert.deepEqual(providers, ["GEMINI", "OPENAI", "GROK", "COPILOT"]);
  assert.deepEqual(regions, ["AD", "DE", "US", "ZW"]);
});

test("a change of the workspace shows: what is retired is gone, with its answers", async (t) => {
  const { service, token, accountId } = await startSample(t);
  await ask(service, token);
  const [storagePrompt] = sampleWorkspace.prompts;
  await service.apply({
    account: { id: accountId, ...sampleWorkspace.account },
    brand: { ...sampleWorkspace.brand, name: "Acme Labs" },
    competitors: [sampleWorkspace.competitors[1], { name: "acorn" }, { name: "Beta" }],
    prompts: [
      { id: storagePrompt.id, text: storagePrompt.text, branded: false },
      { text: "an unasked one", paused: true },
    ],
  });
  await service.settle(accountId);
  const workspace = (await ask(service, token)).json<WorkspaceResponse>();
  assert.equal(workspace.brand.name, "Acme Labs");
  assert.deepEqual(
    workspace.competitors.map(({ name }) => name),
    ["acorn", "Beta", "Globex"],
  );
  assert.deepEqual(workspace.topics, []);
  assert.deepEqual(
    workspace.prompts.map(({ text, topicId, branded }) => [text, topicId, branded]),
    [
      ["an unasked one", null, false],
      ["Which storage?", null, false],
    ],
  );
  assert.deepEqual(workspace.providers, ["OPENAI"]);
  assert.equal(workspace.answers.count, 2);
});

test("equal names are in the order of their ids", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const ids = [3, 1, 2].map((digit) => `cccccccc-0000-4000-8000-00000000000${digit}`);
  const accountId = await service.apply({
    account: { name: "Twins" },
    brand: { name: "Twins" },
    prompts: ids.map((id, index) => ({ id, text: index === 0 ? "Which?" : "which?" })),
  });
  await service.settle(accountId);
  const reply = await ask(service, await service.session(accountId));
  assert.deepEqual(
    reply.json<WorkspaceResponse>().prompts.map(({ id }) => id),
    ids.toSorted(),
  );
});

test("a body and a query are not looked at; nothing on the way may keep the reply", async () => {
  const { service, token } = await sharedSample();
  const plain = await ask(service, token);
  assert.equal(plain.headers["cache-control"], "no-store");
  const headers = { authorization: `Bearer ${token}`, "content-type": "text/plain" };
  const reply = await service.request("GET", `${path}?topics=x`, { headers, body: "{" });
  assert.deepEqual([reply.status, reply.body], [200, plain.body]);
});

test("the facts are asked once for equal questions, and a large reply is compressed", async (t) => {
  const { service, token, accountId } = await startSample(t);
  const prompts = Array.from({ length: 50 }, (_, index) => ({
    text: `Which storage is best for case ${index}, and why would you say so?`,
  }));
  await service.apply({
    ...sampleWorkspace,
    account: { id: accountId, name: "Acme" },
    prompts: [...sampleWorkspace.prompts, ...prompts],
  });
  await service.settle(accountId);
  const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip" };
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => service.request("GET", path, { headers })),
  );
  for (const reply of replies) assert.equal(reply.headers["content-encoding"], "gzip");
  const measured = await service.request("GET", "/metrics");
  assert.match(
    measured.body,
    /sightline_facts_query_seconds_count\{question="coverage",plan="daily"\} 1\n/,
  );
});
