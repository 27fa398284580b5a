import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  AppliedWorkspace,
  DeclaredWorkspaceResponse,
  WorkspaceResponse,
} from "@sightline/contract";
import { ServedSchemas } from "@sightline/test-kit/requests/served-schemas.ts";
import { sharedSample } from "@sightline/test-kit/shared-sample.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import { serviceApp } from "../../../server.ts";
import { RevisionCache } from "../../revision-cache.ts";

const path = "/v1/workspace/file";

const applied = {
  account: { name: "Whole" },
  brand: {
    name: "Whole",
    aliases: ["Whole Labs", { name: "KEEPER", caseSensitive: true }],
    domains: ["https://www.Whole.example/shop/", "whole.example"],
    except: ["the whole truth"],
  },
  competitors: [{ name: "Zeta" }, { name: "Arc", caseSensitive: true, domains: ["arc.example"] }],
  collection: {
    cron: "0 6 * * 1",
    timeZone: "Europe/Berlin",
    samples: 2,
    regions: ["US", "DE"],
    providers: ["OPENAI", { provider: "GOOGLE_AI_MODE", vendor: "serpapi" }],
    caps: { callsPerDay: 500, dollarsPerDay: 2.5, providers: { OPENAI: { callsPerDay: 100 } } },
  },
  topics: [{ name: "Tents", collection: { samples: 3 } }, { name: "Anvils" }],
  prompts: [
    { text: "Is Whole any good?", topic: "Tents", tags: ["new home", "Buying"] },
    { text: "Is Whole Labs a scam?", branded: false, paused: true },
    { text: "Is it the whole truth?", topic: "Anvils" },
    { text: "Which anvil?", topic: "Anvils", branded: true, collection: { regions: [] } },
  ],
  views: [{ name: "Germany", view: "?regions=DE&period=2026-01-01..2026-01-31" }],
  notes: [{ date: "2026-01-05", text: "Launch, with “quotes”" }],
};

test("what is declared comes back whole, and applying it changes nothing", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(applied);
  const token = await service.session(accountId, ["read", "manage"]);
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", path, { headers });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.headers["cache-control"], "no-store");
  (await ServedSchemas.of(service)).assertValid("DeclaredWorkspaceResponseDto", reply.json());

  const { account, brand, competitors, collection, topics, prompts, views, notes } =
    reply.json<DeclaredWorkspaceResponse>();
  assert.deepEqual(collection, applied.collection);
  assert.deepEqual([views, notes], [applied.views, applied.notes]);
  const reader = { authorization: `Bearer ${await service.session(accountId)}` };
  const workspace = await service.request("GET", "/v1/workspace", { headers: reader });
  (await ServedSchemas.of(service)).assertValid("WorkspaceResponseDto", workspace.json());
  const kept = workspace.json<WorkspaceResponse>();
  assert.deepEqual([kept.views, kept.notes], [applied.views, applied.notes]);
  const tagged = kept.prompts.filter((prompt) => prompt.tags !== undefined);
  assert.deepEqual(
    tagged.map(({ text, tags }) => ({ text, tags })),
    [{ text: "Is Whole any good?", tags: ["Buying", "new home"] }],
  );
  const plain = { caseSensitive: false, aliases: [], domains: [] };
  const withoutId = ({ id, ...rest }: { readonly id: string }) => {
    assert.match(id, /^[0-9a-f-]{36}$/);
    return rest;
  };
  assert.deepEqual(account, { id: accountId, name: "Whole" });
  assert.deepEqual([brand, ...competitors].map(withoutId), [
    {
      name: "Whole",
      caseSensitive: false,
      aliases: [
        { name: "Whole Labs", caseSensitive: false },
        { name: "KEEPER", caseSensitive: true },
      ],
      domains: ["whole.example/shop", "whole.example"],
      except: ["the whole truth"],
    },
    { ...plain, name: "Arc", caseSensitive: true, domains: ["arc.example"] },
    { ...plain, name: "Zeta" },
  ]);
  assert.deepEqual(topics.map(withoutId), [
    { name: "Anvils" },
    { name: "Tents", collection: { samples: 3 } },
  ]);
  // The first two need no `branded`, as their texts say it; the others say the opposite.
  assert.deepEqual(prompts.map(withoutId), [
    { text: "Is it the whole truth?", topic: "Anvils", paused: false },
    { text: "Is Whole any good?", topic: "Tents", tags: ["Buying", "new home"], paused: false },
    { text: "Is Whole Labs a scam?", branded: false, paused: true },
    {
      text: "Which anvil?",
      topic: "Anvils",
      branded: true,
      paused: false,
      collection: { regions: [] },
    },
  ]);

  const etag = String(reply.headers["etag"]);
  const again = await service.request("PUT", "/v1/workspace", {
    headers: { ...headers, "content-type": "application/json", "if-match": etag },
    body: reply.body,
  });
  assert.equal(again.status, 200, again.body);
  const { created, updated, retired, unchanged } = again.json<AppliedWorkspace>();
  assert.deepEqual(
    { created, updated, retired, unchanged },
    {
      created: 0,
      updated: 0,
      retired: 0,
      unchanged: 10,
    },
  );
  assert.equal(again.headers["etag"], etag);
});

test("a session of any key that reads may read it, of its own account alone", async () => {
  const { service, token } = await sharedSample();
  const headers = { authorization: `Bearer ${token}` };
  const reply = await service.request("GET", path, { headers });
  assert.equal(reply.status, 200, reply.body);
  assert.equal(reply.json<DeclaredWorkspaceResponse>().account.name, "Acme");
});

test("a file is made once for a revision, in the thread that applies files", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(applied);
  const made: string[] = [];
  const file = (id: string) => {
    made.push(id);
    return service.services.applies.small.api.file(id);
  };
  const workspaceFiles = new RevisionCache(file);
  const app = serviceApp({ ...service.services, workspaceFiles });
  t.after(() => app.close());
  const headers = { authorization: `Bearer ${await service.session(accountId)}` };
  const read = async () => {
    const { statusCode, body } = await app.inject({ method: "GET", url: path, headers });
    assert.equal(statusCode, 200, body);
    return body;
  };
  const [first = "", ...others] = await Promise.all(Array.from({ length: 5 }, read));
  for (const body of [...others, await read()]) assert.equal(body, first);
  assert.deepEqual(made, [accountId]);
  await service.apply({ ...applied, brand: "Whole" });
  const { brand, prompts } = JSON.parse(await read()) as DeclaredWorkspaceResponse;
  assert.deepEqual([brand.aliases, prompts.length, made.length], [[], applied.prompts.length, 2]);
});

test("a large file comes whole", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const texts = Array.from({ length: 5_000 }, (_, index) => `Which storage for case ${index}?`);
  const accountId = await service.apply({ account: "Large", brand: "Large", prompts: texts });
  const headers = { authorization: `Bearer ${await service.session(accountId)}` };
  const reply = await service.request("GET", path, { headers });
  assert.deepEqual(
    reply.json<DeclaredWorkspaceResponse>().prompts.map(({ text }) => text),
    texts.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
  );
});
