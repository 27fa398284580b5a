import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { intervals } from "@sightline/contract";
import fc from "fast-check";
import { arbitraryFact, factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { oracleRuns } from "../../test/oracle/runs.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { bucketOf, bucketsOf, dayMs } from "../analytics/buckets.ts";
import { heldSums } from "../analytics/held-rollup.ts";
import type { Measure } from "../analytics/metric-definitions.ts";
import type { Condition, TimeSeriesPlan } from "../analytics/plan.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { readSums } from "./duckdb/read-results.ts";
import { timeSeriesStatement } from "./duckdb/statements.ts";
import { HeldBudget } from "./held-budget.ts";
import { HeldDaily } from "./held-daily.ts";

const firstDay = 20_448; // 2025-12-26
const measures: readonly (readonly Measure[])[] = [["mentioned"], ["cited"], ["rank", "mentioned"]];
const conditions: readonly (readonly Condition[])[] = [
  [],
  [{ column: "provider", values: [1, 4, 5] }],
  [
    { column: "region", values: [538, 83] }, // US, DE
    { column: "branded", values: [0] },
  ],
];

const arbitraryPlan: fc.Arbitrary<TimeSeriesPlan> = fc
  .record({
    from: fc.nat({ max: 6 }),
    days: fc.nat({ max: 9 }),
    interval: fc.constantFrom(...intervals),
    measures: fc.constantFrom(...measures),
    conditions: fc.constantFrom(...conditions),
  })
  .map(({ from, days, interval, measures: wanted, conditions: filters }) => {
    const start = firstDay + from;
    const part = { table: "daily" as const, by: "day" as const, from: start, to: start + days };
    return {
      choice: { rollup: "daily", refused: [] },
      rows: { parts: [part], conditions: filters },
      measures: wanted,
      interval,
      firstBucket: bucketOf(interval, start * dayMs),
      startsMs: bucketsOf(interval, start * dayMs, (start + days) * dayMs).startsMs,
    };
  });

const shape = { entities: factsSnapshot.entities.length + 1, buckets: 20 };

test("what is held gives the engine's sums, as batches come and are compacted", async () => {
  const folder = temporaryFolder();
  let number = 0;
  const batch = fc.record({
    facts: fc.array(arbitraryFact, { minLength: 1 }),
    isCompacted: fc.boolean(),
    plans: fc.array(arbitraryPlan, { maxLength: 4 }),
  });
  const batches = fc.array(batch, { minLength: 1, maxLength: 5 });
  const property = fc.asyncProperty(batches, async (all) => {
    const file = await FactsFile.create(join(folder, `${number++}.duckdb`), factsSnapshot);
    const held = new HeldDaily(file, new HeldBudget(1_000_000));
    const { signal } = new AbortController();
    try {
      for (const [version, { facts, isCompacted, plans }] of all.entries()) {
        const rows = factRowsAfter(file.state.mark.sequence, facts);
        if (rows !== null) await file.append(rows);
        if (isCompacted) await file.compact({ factor: 0, rowsMin: 0 });
        for (const plan of plans) {
          const segments = (await held.current(version, signal))?.segments;
          const chunks = await file.query(timeSeriesStatement(plan), signal);
          assert.deepEqual(heldSums(segments ?? [], plan, shape), readSums(chunks, plan, shape));
        }
      }
    } finally {
      await file.rest();
    }
  });
  const { questions, seed } = oracleRuns(12);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
});

async function createFile(t: TestContext): Promise<FactsFile> {
  const folder = temporaryFolder();
  const file = await FactsFile.create(join(folder, "facts.duckdb"), factsSnapshot);
  t.after(async () => {
    await file.rest();
    rmSync(folder, { recursive: true });
  });
  return file;
}

test("many batches are read together again, and who is asked least is let go of", async (t) => {
  const file = await createFile(t);
  const { signal } = new AbortController();
  const budget = new HeldBudget(4_000);
  const [held, other] = [new HeldDaily(file, budget), new HeldDaily(file, budget)];
  const [fact] = fc.sample(arbitraryFact, { numRuns: 1, seed: 1 });
  if (fact === undefined) throw new Error("no fact");
  let most = 0;
  for (let version = 0; version < 70; version++) {
    const rows = factRowsAfter(file.state.mark.sequence, [fact]);
    if (rows !== null) await file.append(rows);
    const segments = (await held.current(version, signal))?.segments;
    most = Math.max(most, segments?.length ?? 0);
    const answers = segments?.flatMap(({ rows: each }) => [...each.entity].filter((e) => e === 0));
    assert.equal(answers?.length, version + 1);
  }
  assert.equal(most, 64);

  const before = await held.current(69, signal);
  assert.equal(await held.current(69, signal), before, "nothing is read anew");
  await other.current(69, signal);
  assert.notEqual(await held.current(69, signal), before, "the other took the room");
});

test("what is let go of while it is read is given to who asked, and is not held", async (t) => {
  const file = await createFile(t);
  const rows = factRowsAfter(file.state.mark.sequence, fc.sample(arbitraryFact, 5));
  if (rows !== null) await file.append(rows);
  const { signal } = new AbortController();
  const budget = new HeldBudget(100_000);
  const held = new HeldDaily(file, budget);
  const hasAllRoom = () => budget.hasRoom({ forget: () => undefined }, budget.bytesMax);

  const asked = held.current(1, signal);
  held.forget();
  const read = await asked;
  assert.equal(read?.segments.length, 1);
  assert.ok(hasAllRoom());
  assert.notEqual(await held.current(1, signal), read, "it is read anew");
  assert.ok(!hasAllRoom());
});
