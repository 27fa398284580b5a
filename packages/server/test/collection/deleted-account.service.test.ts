import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { askNow, billedBy, startCollecting } from "@sightline/test-kit/collection/collecting.ts";
import { until } from "@sightline/test-kit/until.ts";
import { deleteAccount } from "../../src/accounts/account-deletions.ts";
import { eraseAccount } from "../../src/answers/corrections/corrections.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";

test("of an account that is deleted nothing is asked or written any more", async (t) => {
  const collecting = await startCollecting(t, {
    workspace: {
      account: { name: "Deleted" },
      brand: { name: "Acme" },
      prompts: ["A?", "B?"],
      collection: { cron: "0 13 * * *", providers: ["OPENAI"], samples: 20 },
    },
    faults: { latencyMs: 1_000 }, // all are received before the first reply, on a busy machine too
  });
  const { clock, service, accountId, collection, standIn } = collecting;
  const { control, answers, folder } = service.services;
  clock.advance(3_600_000);
  await collection.plan();
  await collection.runJobs();
  await until("they are asked", () => (billedBy(standIn).received === 16 ? true : null));
  assert.equal(collection.takeCounts().jobs.length, 0, "they are under way");
  await deleteAccount(control, accountId, clock.now());
  await eraseAccount({ answers, control, clock, eraseFacts: null }, accountId, true);
  await collection.settled();
  clock.advance(600_000);
  await askNow(collecting);
  await collection.publish();
  assert.equal(billedBy(standIn).received, 16);
  assert.deepEqual(await sweepsOf(control, accountId, 10, clock.now()), []);
  assert.equal(existsSync(folder.account(accountId).answers), false);
});
