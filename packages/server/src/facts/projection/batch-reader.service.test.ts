import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startSample } from "@sightline/test-kit/sample-account.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { workspaceOf } from "../../accounts/account-store.ts";
import { recordBeginning } from "../../answers/answer-store.ts";
import { type Snapshot, snapshotOf } from "../snapshot.ts";
import { BatchReader } from "./batch-reader.ts";

test("each batch is read by its own snapshot, whatever was read before it", async (t) => {
  const { service, accountId } = await startSample(t);
  const { config, control } = service.services;
  const workspace = await workspaceOf(control, accountId);
  assert.ok(workspace !== null);
  const all = await snapshotOf(workspace);
  const acme: Snapshot = { ...all, entities: all.entities.slice(0, 1) };
  const reader = new BatchReader({ dataDir: config.dataDir });
  t.after(() => reader.close());
  const range = { after: recordBeginning, limit: 100 };
  const entities = async (key: string, snapshot: Snapshot) => {
    const rows = await reader.read(accountId, { key, snapshot }, range);
    return [...new Set(rows?.appearances.entity)].toSorted();
  };
  const [ofAll, ofAcme] = [await entities("all", all), await entities("acme", acme)];
  assert.deepEqual(
    [ofAll, ofAcme],
    [
      [0, 1, 2],
      [0, 1],
    ],
  );
  assert.deepEqual(await Promise.all([entities("acme", acme), entities("acme", acme)]), [
    ofAcme,
    ofAcme,
  ]);
  assert.deepEqual(await entities("all", all), ofAll);
  const failing = reader.read("no account", { key: "all", snapshot: all }, range);
  assert.deepEqual(await Promise.allSettled([failing, entities("all", all)]).then(statuses), [
    "rejected",
    "fulfilled",
  ]);
  assert.deepEqual(await entities("all", all), ofAll);
});

test("a thread that was started while another one ended is not taken for it", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const dataDir = join(folder, "data");
  writeFileSync(dataDir, "a file in the place of the folder");
  const reader = new BatchReader({ dataDir });
  const none = {
    factsVersion: 0,
    extractionVersion: "",
    names: null,
    entities: [],
    topics: [],
    prompts: [],
  };
  const read = () => {
    const snapshot = { key: "none", snapshot: none };
    const range = { after: recordBeginning, limit: 1 };
    return reader.read("0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001", snapshot, range);
  };
  await assert.rejects(read());
  rmSync(dataDir);
  assert.equal(await read(), null);
  assert.equal(await read(), null);
  await reader.close();
  assert.ok(!process.getActiveResourcesInfo().includes("MessagePort"), "no thread is left");
});

function statuses(results: readonly PromiseSettledResult<unknown>[]): readonly string[] {
  return results.map(({ status }) => status);
}
