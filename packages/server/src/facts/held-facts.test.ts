import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { intervals, metricNames, providers } from "@sightline/contract";
import fc from "fast-check";
import { arbitraryFact, factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { oracleRuns } from "../../test/oracle/runs.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { bucketsOf, dayMs } from "../analytics/buckets.ts";
import { planTimeSeries } from "../analytics/plan.ts";
import type { TimeSeriesQuestion } from "../analytics/question.ts";
import { codesOf } from "./codes.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { readSums } from "./duckdb/read-results.ts";
import { timeSeriesStatement } from "./duckdb/statements.ts";
import { HeldBudget } from "./held-budget.ts";
import { HeldFacts, holdersOf } from "./held-facts.ts";
import type { FactsAccess } from "./held-index.ts";

const { signal } = new AbortController();
const entities = factsSnapshot.entities.length + 1;
const codes = codesOf(factsSnapshot);
const { traits } = codes;
const firstMs = Date.UTC(2025, 11, 26);

const someOf = <Item>(items: readonly Item[]) =>
  fc.option(fc.subarray([...items], { minLength: 1 }), { nil: null });

/** A question that some answers pass; its ends lie on a day's end or not. */
const arbitraryQuestion: fc.Arbitrary<TimeSeriesQuestion> = fc
  .record({
    metric: fc.constantFrom(...metricNames),
    interval: fc.constantFrom(...intervals),
    from: fc.oneof(fc.nat({ max: 40 }), fc.double({ min: 0, max: 40, noNaN: true })),
    days: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.double({ min: 0.1, max: 40, noNaN: true })),
    providers: someOf(providers),
    topicIds: someOf(factsSnapshot.topics),
    promptIds: someOf(factsSnapshot.prompts.map(({ id }) => id)),
    regions: someOf(["US", "DE"]),
    branded: fc.option(fc.boolean(), { nil: null }),
  })
  .map(({ metric, interval, from, days, ...filters }) => {
    const fromMs = firstMs + Math.floor(from * dayMs);
    const toMs = fromMs + Math.ceil(days * dayMs);
    return {
      metric,
      selection: { fromMs, toMs, ...filters },
      buckets: bucketsOf(interval, fromMs, toMs),
    };
  });

test("what is held gives the engine's sums to any question, as batches come", async () => {
  const folder = temporaryFolder();
  let number = 0;
  const batch = fc.record({
    facts: fc.array(arbitraryFact, { minLength: 1, maxLength: 20 }),
    questions: fc.array(arbitraryQuestion, { maxLength: 6 }),
  });
  const used = new Map<string, number>();
  const property = fc.asyncProperty(fc.array(batch, { minLength: 1 }), async (batches) => {
    const file = await FactsFile.create(join(folder, `${number++}.duckdb`), factsSnapshot);
    let version = 0;
    const facts: FactsAccess = {
      ask: (statement) => file.query(statement, signal),
      version: () => version,
    };
    const budget = new HeldBudget(1_000_000);
    const holders = holdersOf(file, { facts, budget, segmentRows: 8 });
    const held = new HeldFacts(budget, holders);
    try {
      for (const { facts: some, questions } of batches) {
        const rows = factRowsAfter(file.state.watermark, some);
        if (rows !== null) await file.append(rows);
        version++;
        for (const question of questions) {
          const plan = planTimeSeries(question, codes);
          if (plan === null) continue;
          const shape = { entities, buckets: question.buckets.startsMs.length };
          const chunks = await file.query(timeSeriesStatement(plan), signal);
          const wanted = readSums(chunks, plan, shape);
          const own = await held.sums(plan, { shape, traits, version, signal });
          if (own.sums !== null) assert.deepEqual(own.sums, wanted);
          used.set(own.used.name, (used.get(own.used.name) ?? 0) + 1);
          await holders.appearances.settled();
          const settled = await held.sums(plan, { shape, traits, version, signal });
          assert.deepEqual(settled.sums, wanted);
        }
      }
    } finally {
      await file.rest();
    }
  });
  const { questions, seed } = oracleRuns(20);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
  assert.ok((used.get("daily") ?? 0) > 0 && (used.get("prompt_index") ?? 0) > 0, "each was used");
});
