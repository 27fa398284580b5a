import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { readConfig } from "../config.ts";
import { theService } from "../platform/actor.ts";
import { ThreadEndedError } from "../platform/thread.ts";
import { openStorage } from "../storage.ts";
import { workspaceOf } from "./account-store.ts";
import { type ApplyOrder, applyThreads } from "./apply-thread.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

/** A data folder, and a thread over it. */
async function opened(t: TestContext) {
  const dataDir = temporaryFolder();
  const storage = await openStorage(dataDir);
  const threads = applyThreads(readConfig({ dataDir }, {}));
  t.after(async () => {
    await threads.close();
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });
  return { control: storage.control, thread: threads.large };
}

function order(prompts: number): ApplyOrder {
  const texts = Array.from({ length: prompts }, (_, place) => `Which is best for case ${place}?`);
  const file = JSON.stringify({ account: "Acme", brand: "Acme", prompts: texts });
  return {
    accountId,
    bytes: new TextEncoder().encode(file),
    format: "json",
    dryRun: false,
    ifRevision: null,
    by: theService,
  };
}

test("a thread that dies changes nothing, and the next file has another one", async (t) => {
  const { control, thread } = await opened(t);
  await thread.api.apply(order(1));
  const before = await workspaceOf(control, accountId);
  const failed = assert.rejects(thread.api.apply(order(20_000)), ThreadEndedError);
  await thread.close();
  await failed;
  assert.deepEqual(await workspaceOf(control, accountId), before);
  const { json } = await thread.api.apply(order(2));
  const { created, unchanged } = JSON.parse(Buffer.from(json).toString());
  assert.deepEqual([created, unchanged], [1, 3]);
});

test("files that are sent together are applied one after the other", async (t) => {
  const { control, thread } = await opened(t);
  const reports = await Promise.all([5, 1, 3].map((prompts) => thread.api.apply(order(prompts))));
  const revisions = reports.map(({ revision }) => revision);
  const [first = 0] = revisions;
  assert.deepEqual(revisions, [first, first + 1, first + 2]);
  assert.equal((await workspaceOf(control, accountId))?.prompts.length, 3);
});
