import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../test/test-service.ts";
import { readConfig } from "../config.ts";
import { openStorage } from "../storage.ts";
import { type ApplyOrder, ApplyThread } from "./apply-thread.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

/** A data folder, and a thread over it. */
async function opened(t: TestContext) {
  const dataDir = temporaryFolder();
  const storage = await openStorage(dataDir);
  const thread = new ApplyThread(readConfig({ dataDir }, {}));
  t.after(async () => {
    await thread.close();
    await storage.close();
    rmSync(dataDir, { recursive: true });
  });
  return { control: storage.control, thread };
}

function order(prompts: number): ApplyOrder {
  const texts = Array.from({ length: prompts }, (_, place) => `Which is best for case ${place}?`);
  const file = JSON.stringify({ account: "Acme", brand: "Acme", prompts: texts });
  return {
    ...{ accountId, bytes: new TextEncoder().encode(file) },
    ...{ format: "json", dryRun: false, ifRevision: null },
  };
}

test("a thread that dies changes nothing, and the next file has another one", async (t) => {
  const { control, thread } = await opened(t);
  assert.equal((await thread.apply(order(1), "large")).kind, "applied");
  const before = await control.workspace(accountId);
  const dying = thread.apply(order(20_000), "large");
  await thread.close();
  const failed = { kind: "failed", why: "other", reason: "the thread ended" };
  assert.deepEqual(await dying, failed);
  assert.deepEqual(await control.workspace(accountId), before);
  const outcome = await thread.apply(order(2), "large");
  assert.ok(outcome.kind === "applied");
  const { created, unchanged } = JSON.parse(Buffer.from(outcome.json).toString());
  assert.deepEqual([created, unchanged], [1, 3]);
});

test("files that are sent together are applied one after the other", async (t) => {
  const { control, thread } = await opened(t);
  const outcomes = await Promise.all(
    [5, 1, 3].map((prompts) => thread.apply(order(prompts), "large")),
  );
  const revisions = outcomes.map((outcome) => outcome.kind === "applied" && outcome.revision);
  const [first = 0] = revisions;
  assert.deepEqual(revisions, [first, Number(first) + 1, Number(first) + 2]);
  assert.equal((await control.workspace(accountId))?.prompts.length, 3);
});
