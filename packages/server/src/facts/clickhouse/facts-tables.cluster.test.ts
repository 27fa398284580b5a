import assert from "node:assert/strict";
import { test } from "node:test";
import { arbitraryBatches, filled } from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { clickhouseFactsOf } from "@sightline/test-kit/engines/clickhouse-facts-of.ts";
import { until } from "@sightline/test-kit/until.ts";
import fc from "fast-check";

test("an old generation is dropped also when the node that replaced it ended", async (t) => {
  const { facts, log, ...engines } = await clickhouseFactsOf(t);
  const [batches = []] = fc.sample(arbitraryBatches, { numRuns: 1, seed: 5 });
  await filled(facts, batches);
  const generation = await filled(facts, batches);
  await facts.close();
  const generations = async () => {
    const { rows } = await engines.pool.query("select generation from cluster_generations");
    return rows.map((row) => String(row.generation));
  };
  assert.equal((await generations()).length, 2);
  await clickhouseFactsOf(t, { engines, keepRetiredMs: 0, dropLeftEveryMs: 20 });
  await until("the old one is forgotten", async () => {
    return (await generations()).length === 1 ? true : null;
  });
  assert.deepEqual(await generations(), [generation]);
  assert.deepEqual(log.lines, []);
});
