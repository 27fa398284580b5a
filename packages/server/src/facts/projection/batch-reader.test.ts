import assert from "node:assert/strict";
import { test } from "node:test";
import { startSample } from "../../../test/sample-account.ts";
import { recordBeginning } from "../../answers/answer-store.ts";
import { type Snapshot, snapshotOf } from "../snapshot.ts";
import { openBatchReader } from "./batch-reader.ts";

test("each batch is read by its own snapshot, whatever was read before it", async (t) => {
  const { service, accountId } = await startSample(t);
  const { config, control } = service.services;
  const workspace = await control.workspace(accountId);
  assert.ok(workspace !== null);
  const all = await snapshotOf(workspace);
  const acme: Snapshot = { ...all, entities: all.entities.slice(0, 1) };
  const reader = openBatchReader({ dataDir: config.dataDir });
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

function statuses(results: readonly PromiseSettledResult<unknown>[]): readonly string[] {
  return results.map(({ status }) => status);
}
