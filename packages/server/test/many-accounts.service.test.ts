import assert from "node:assert/strict";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sampleAnswers, sampleRange, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { beginRecording, progressOf } from "../src/accounts/progress-store.ts";
import { openControlDatabase } from "../src/control/database.ts";
import { openStorage } from "../src/storage.ts";

const idOf = (number: number) => `cccccccc-0000-4000-8000-${String(number).padStart(12, "0")}`;
const accounts = 50;
const path = "/v1/analytics/brands/mentions";
const body = { interval: "daily", filters: { timeRange: sampleRange } };

function newFolder(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "data");
}

async function applyAll(service: TestService): Promise<void> {
  for (let number = 0; number < accounts; number++) {
    await service.apply({ ...sampleWorkspace, account: { id: idOf(number), name: "Acme" } });
  }
}

const foldersOf = (dataDir: string) => readdirSync(join(dataDir, "accounts"));

test("an account has no file before its first answer, and is answered all the same", async (t) => {
  const dataDir = newFolder(t);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await applyAll(service);
  await service.settle(idOf(0));
  const token = await service.session(idOf(0));
  const reply = await service.post(path, { token, body });
  assert.equal(reply.status, 200);
  const { series } = reply.json<{ series: { name: string; data: { value: null }[] }[] }>();
  assert.deepEqual(
    series.map(({ name, data }) => [name, data.map(({ value }) => value)]),
    ["Acme", "Globex", "Initech"].map((name) => [name, [null, null, null]]),
  );
  const sources = await service.post("/v1/analytics/sources", {
    token,
    body: { groupBy: "domain", limit: 10, offset: 0, filters: { timeRange: sampleRange } },
  });
  assert.equal(sources.json<{ pagination: { total: number } }>().pagination.total, 0);
  const workspace = await service.request("GET", "/v1/workspace", {
    headers: { authorization: `Bearer ${token}` },
  });
  assert.equal(workspace.json<{ answers: { count: number } }>().answers.count, 0);
  assert.deepEqual(foldersOf(dataDir), []);
});

test("a change of the workspace shows before any answer", async (t) => {
  const service = await TestService.start();
  t.after(() => service.close());
  const accountId = await service.apply(sampleWorkspace);
  const token = await service.session(accountId);
  const names = async () => {
    const reply = await service.post(path, { token, body });
    return reply.json<{ series: { name: string }[] }>().series.map(({ name }) => name);
  };
  assert.deepEqual(await names(), ["Acme", "Globex", "Initech"]);
  const account = { id: accountId, name: "Acme" };
  await service.apply({ ...sampleWorkspace, account, competitors: [{ name: "Umbra" }] });
  assert.deepEqual(await names(), ["Acme", "Umbra"]);
});

test("a start opens no account that nothing happened to; its first question does", async (t) => {
  const dataDir = newFolder(t);
  const first = await TestService.start({ dataDir });
  await applyAll(first);
  for (const number of [7, 8]) await first.import(idOf(number), sampleAnswers);
  await first.close();
  assert.deepEqual(foldersOf(dataDir), [idOf(7), idOf(8)]);

  const second = await TestService.start({ dataDir });
  t.after(() => second.close());
  await until("ready", () => (second.services.projection.notReady().length === 0 ? true : null));
  const filesOf = (number: number) => readdirSync(join(dataDir, "accounts", idOf(number)));
  // An open engine has a lock on its file, and its log beside it once something was written.
  assert.deepEqual(filesOf(7), ["answers.sqlite", "facts.duckdb"]);
  const reply = await second.post(path, { token: await second.session(idOf(7)), body });
  assert.match(reply.body, /"value":0\.5/);
  assert.deepEqual(filesOf(8), ["answers.sqlite", "facts.duckdb"]);
});

test("answers that an import recorded and could not note count all the same", async (t) => {
  const dataDir = newFolder(t);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  const accountId = idOf(1);
  await service.apply({ ...sampleWorkspace, account: { id: accountId, name: "Acme" } });
  await service.import(accountId, sampleAnswers);
  // What an import does until it is killed between its commit and its note.
  const importer = await openStorage(dataDir, service.clock);
  t.after(() => importer.close());
  const [recorded] = await importer.answers.read(accountId, { after: 0, limit: 1 });
  assert.ok(recorded !== undefined);
  const { sequence: _, ...answer } = recorded;
  await beginRecording(importer.control, accountId, "killed", service.clock.now());
  const id = "aaaaaaaa-0000-4000-8000-000000000009";
  await importer.answers.record(accountId, [{ ...answer, id, text: "None." }]);

  const token = await service.session(accountId);
  const count = async () => {
    const headers = { authorization: `Bearer ${token}` };
    const reply = await service.request("GET", "/v1/workspace", { headers });
    return reply.json<{ answers: { count: number } }>().answers.count;
  };
  await until("the answer counts", async () => ((await count()) === 4 ? true : null));
});

test("a folder of the version before is read once, and then known", async (t) => {
  const dataDir = newFolder(t);
  const first = await TestService.start({ dataDir });
  await first.apply({ ...sampleWorkspace, account: { id: idOf(1), name: "Acme" } });
  await first.apply({ ...sampleWorkspace, account: { id: idOf(2), name: "Acme" } });
  await first.import(idOf(1), sampleAnswers);
  await first.close();
  const { database } = await openControlDatabase(join(dataDir, "control.sqlite"));
  const asMigrated = { recorded: null, projected: null };
  await database.updateTable("accounts").set(asMigrated).execute();
  await database.destroy();
  const second = await TestService.start({ dataDir });
  t.after(() => second.close());
  await until("ready", () => (second.services.projection.notReady().length === 0 ? true : null));
  await second.services.projection.measure();
  const progress = await progressOf(second.services.control, idOf(1));
  assert.equal(progress?.recorded?.sequence, sampleAnswers.length);
  assert.equal((await progressOf(second.services.control, idOf(2)))?.recorded?.sequence, 0);
  assert.ok(!existsSync(join(dataDir, "accounts", idOf(2))));
});
