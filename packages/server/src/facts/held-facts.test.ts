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

/** A question for a range of so many days, at most, whose ends lie on a day's end or not. */
function arbitraryQuestion(daysMost: number, filters: fc.Arbitrary<Filters>) {
  const days = (min: number) =>
    fc.oneof(
      fc.integer({ min: Math.ceil(min), max: daysMost }),
      fc.double({ min, max: daysMost, noNaN: true }),
    );
  return fc
    .record({
      metric: fc.constantFrom(...metricNames),
      interval: fc.constantFrom(...intervals),
      from: days(0),
      days: days(0.1),
      filters,
    })
    .map(({ metric, interval, from, days, filters }): TimeSeriesQuestion => {
      const fromMs = firstMs + Math.floor(from * dayMs);
      const toMs = fromMs + Math.ceil(days * dayMs);
      const buckets = bucketsOf(interval, fromMs, toMs);
      return { metric, selection: { fromMs, toMs, ...filters }, buckets };
    });
}

type Filters = Omit<TimeSeriesQuestion["selection"], "fromMs" | "toMs">;

const anyFilters: fc.Arbitrary<Filters> = fc.record({
  providers: someOf(providers),
  topicIds: someOf(factsSnapshot.topics),
  promptIds: someOf(factsSnapshot.prompts.map(({ id }) => id)),
  regions: someOf(["US", "DE"]),
  branded: fc.option(fc.boolean(), { nil: null }),
});

/** Those that the rollup by day tells apart, if any. */
const filtersOfRollup: fc.Arbitrary<Filters> = fc.record({
  providers: fc.oneof(fc.constant(null), someOf(providers)),
  topicIds: fc.constant(null),
  promptIds: fc.constant(null),
  regions: fc.oneof(fc.constant(null), someOf(["US", "DE"])),
  branded: fc.constantFrom(null, null, true),
});

/** The same answers within few days: most ranges cut days that have some. */
const ofFewDays = arbitraryFact.map(({ answeredAt, ...fact }) => {
  return { ...fact, answeredAt: firstMs + (answeredAt % (3 * dayMs)) };
});

/** Asks what is held and the engine, as batches come. @returns how often each plan was used. */
async function heldIsTheEngines(
  facts: typeof arbitraryFact,
  question: fc.Arbitrary<TimeSeriesQuestion>,
): Promise<ReadonlyMap<string, number>> {
  const folder = temporaryFolder();
  let number = 0;
  const batch = fc.record({
    facts: fc.array(facts, { minLength: 1, maxLength: 20 }),
    questions: fc.array(question, { maxLength: 6 }),
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
        const rows = factRowsAfter(file.state.mark.sequence, some);
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
          await holders.appearances.settled();
          const settled = await held.sums(plan, { shape, traits, version, signal });
          assert.deepEqual(settled.sums, wanted);
          const way = `${settled.used.name}, parts: ${plan.rows.parts.length}`;
          used.set(way, (used.get(way) ?? 0) + 1);
        }
      }
    } finally {
      await file.rest();
    }
  });
  const { questions, seed } = oracleRuns(20);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
  return used;
}

test("what is held gives the engine's sums to any question, as batches come", async () => {
  const used = await heldIsTheEngines(arbitraryFact, arbitraryQuestion(40, anyFilters));
  assert.ok((used.get("prompt_index, parts: 1") ?? 0) > 20, JSON.stringify([...used]));
});

test("whole days from the rollup and what differs from them are the engine's sums", async () => {
  const used = await heldIsTheEngines(ofFewDays, arbitraryQuestion(4, filtersOfRollup));
  const cut = (used.get("daily, parts: 2") ?? 0) + (used.get("daily, parts: 3") ?? 0);
  assert.ok(cut > 20, JSON.stringify([...used]));
});
