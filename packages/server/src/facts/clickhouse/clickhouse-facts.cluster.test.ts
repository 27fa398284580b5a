import assert from "node:assert/strict";
import { test } from "node:test";
import {
  accountId,
  arbitraryAsked,
  arbitraryBatches,
  filled,
  otherAccount,
  replies,
  testFactsEngine,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { clickhouseFactsOf } from "@sightline/test-kit/engines/clickhouse-facts-of.ts";
import { duckdbFactsOf } from "@sightline/test-kit/engines/duckdb-facts-of.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { until } from "@sightline/test-kit/until.ts";
import fc from "fast-check";
import { constant, type Fragment, sql } from "../../platform/sql.ts";
import { generationTables } from "./facts-tables.ts";

testFactsEngine("clickhouse", async (t) => (await clickhouseFactsOf(t)).facts);

test("equal batches give equal replies in DuckDB and in ClickHouse", async (t) => {
  const duckdb = duckdbFactsOf(t, [accountId, otherAccount]);
  // Rollups are folded whenever they have doubled, few as they are.
  const { facts: clickhouse, log } = await clickhouseFactsOf(t, { foldRowsMin: 0 });
  const property = fc.asyncProperty(
    arbitraryBatches,
    fc.nat({ max: 4 }),
    arbitraryAsked,
    async (batches, finishedAfter, asked) => {
      const [expected, found] = [
        await replies(duckdb, await filled(duckdb, batches, { finishedAfter }), asked),
        await replies(clickhouse, await filled(clickhouse, batches, { finishedAfter }), asked),
      ];
      assert.deepEqual(found, expected);
    },
  );
  const { questions, seed } = oracleRuns(12);
  await fc.assert(property, { numRuns: questions, seed });
  assert.deepEqual(log.lines, []);
});

test("an old generation is dropped once nobody reads it, and the others stay", async (t) => {
  const { facts, clickhouse, pool } = await clickhouseFactsOf(t, { keepRetiredMs: 0 });
  const [batches = []] = fc.sample(arbitraryBatches, { numRuns: 1, seed: 6 });
  const theirs = await filled(facts, batches, { account: otherAccount });
  const [asked] = fc.sample(arbitraryAsked, { numRuns: 1, seed: 2 });
  assert.ok(asked !== undefined);
  await filled(facts, batches);
  const generation = await filled(facts, batches);
  const found = await replies(facts, generation, asked);
  const generations = async (table: Fragment) => {
    const query = sql`select generation from ${table} group by generation order by generation`;
    const rows = await clickhouse.query({ query, shape: { generation: "number" } });
    return rows.map((row) => String(row.generation));
  };
  for (const table of generationTables.map(constant)) {
    await until("the old rows are gone", async () => {
      const left = await generations(table);
      return left.length === 2 ? true : null;
    });
    assert.deepEqual(await generations(table), [theirs, generation]);
  }
  await until("PostgreSQL forgets it", async () => {
    const { rows } = await pool.query("select generation from cluster_generations");
    return rows.length === 2 ? true : null;
  });
  assert.deepEqual(await replies(facts, generation, asked), found);
});
