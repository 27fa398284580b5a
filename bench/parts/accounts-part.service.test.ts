import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { costOfAccounts } from "./accounts-part.ts";

test("a server on several accounts is measured from its start to a new import", async () => {
  const folder = temporaryFolder();
  const quick = { starts: 1, settleMs: 0, idleMs: 200 };
  const cost = await costOfAccounts(join(folder, "data"), 3, quick);
  rmSync(folder, { recursive: true });
  assert.deepEqual([cost.accounts, cost.answered], [3, 2]);
  assert.equal(cost.firstQuestion.times, 2);
  assert.ok(cost.ready.medianMs > 0 && cost.firstStartMs > 0);
  assert.ok(cost.idleMemoryMb > 20, `${cost.idleMemoryMb} MB`);
  assert.ok(cost.idleCorePercent >= 0 && cost.countsAfterMs >= 0);
});
