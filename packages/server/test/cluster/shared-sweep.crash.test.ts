import assert from "node:assert/strict";
import { test } from "node:test";
import {
  billedBy,
  collectionOf,
  ledgerOf,
  startCollecting,
  sumsOf,
} from "@sightline/test-kit/collection/collecting.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { sweepsOf } from "../../src/collection/store/sweep-reads.ts";
import { ServiceError } from "../../src/platform/service-error.ts";
import { openStorage } from "../../src/storage.ts";

test("two nodes share a sweep: one asks each job, one publishes each part", async (t) => {
  const { postgresUrl, clickhouseUrl } = (await clusterEngines(t)).address;
  const prompts = Array.from({ length: 20 }, (_, each) => `Which seeds are best for bed ${each}?`);
  const collecting = await startCollecting(t, {
    settings: { postgresUrl, clickhouseUrl },
    workspace: {
      account: { name: "Shared" },
      brand: { name: "Acme" },
      prompts,
      collection: {
        cron: "0 13 * * *",
        samples: 3,
        providers: [{ provider: "OPENAI", model: "gpt-4.1" }, "COPILOT"],
      },
    },
    faults: { tasks: { queueMs: 3_000, runMs: 3_000 }, rates: { serverError: 0.05 } },
  });
  const { clock, service, standIn, accountId, collection } = collecting;
  const storage = await openStorage(service.services.config, clock);
  const other = collectionOf(storage, { clock, standIn: standIn.url });
  t.after(async () => {
    await other.close(Promise.resolve());
    await storage.close();
  });
  const nodes = [collection, other];
  const { control, answers } = service.services;
  clock.advance(3_600_000);
  for (let step = 0; ; step++) {
    assert.ok(step < 500, "the sweep did not end");
    for (const work of ["plan", "runJobs", "settled", "publish"] as const) {
      await Promise.all(nodes.map((node) => orAgain(node[work]())));
    }
    const sweeps = await sweepsOf(control, accountId, 10, clock.now());
    assert.equal(sweeps.length, 1, "both planned the same sweep");
    if (sweeps[0]?.parts.every(({ publishedAt }) => publishedAt !== null)) break;
    clock.advance(2_000);
  }
  const tallies = nodes.map((node) => node.takeCounts());
  const done = tallies.map(({ jobs }) => jobs.filter(({ result }) => result === "done").length);
  // Of a job whose end was stored too late to be told, a node does not know that it is done.
  assert.ok(done.reduce((sum, each) => sum + each, 0) <= 120);
  assert.ok(Math.min(...done) > 0, `one node did it all: ${done}`);
  assert.equal(tallies.flatMap(({ published }) => published).length, 2);
  const recorded = await answers.read(accountId, { after: 0, limit: 1_000 });
  assert.equal(new Set(recorded.map(({ id }) => id)).size, 120);
  assert.equal(recorded.length, 120);
  const { spentMicros, unsettledMicros } = sumsOf(await ledgerOf(collecting));
  const { billed, micros } = billedBy(standIn);
  assert.deepEqual(
    { billed, spentMicros, unsettledMicros },
    { billed: 120, spentMicros: micros, unsettledMicros: 0 },
  );
});

/** A node does again later what a database that takes its time refused. */
async function orAgain(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.code !== "overloaded") throw error;
  });
}
