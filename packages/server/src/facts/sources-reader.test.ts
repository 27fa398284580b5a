import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { arbitraryFact, factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { oracleRuns } from "../../test/oracle/runs.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { dayMs } from "../analytics/buckets.ts";
import type { PlanPart, SourcesPlan } from "../analytics/plan.ts";
import { codesOf } from "./codes.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { readSources } from "./duckdb/read-results.ts";
import { type Statement, sourcesStatement } from "./duckdb/statements.ts";
import { HeldBudget } from "./held-budget.ts";
import { PromptIndex } from "./held-index.ts";
import { indexedCitations } from "./indexing.ts";
import { SourcesReader } from "./sources-reader.ts";

const day = 20_448; // 2025-12-26

function partsOf({ days, isByDay }: { readonly days: number; readonly isByDay: boolean }) {
  const [from, to] = [day, day + days];
  const part: PlanPart = isByDay
    ? { table: "citations", by: "day", from, to }
    : {
        table: "citations",
        by: "answered_at",
        from: from * dayMs + 40,
        to: to * dayMs + 9_000_000,
      };
  return [part];
}

const arbitraryPlan: fc.Arbitrary<SourcesPlan> = fc.record({
  choice: fc.constant({ rollup: null, refused: [] }),
  groupBy: fc.constantFrom("domain", "url"),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.oneof(fc.nat({ max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  rows: fc.record({
    parts: fc.record({ days: fc.nat({ max: 40 }), isByDay: fc.boolean() }).map(partsOf),
    conditions: fc.constantFrom(
      [],
      [{ column: "provider" as const, values: [1, 2, 3] }],
      [{ column: "prompt" as const, values: [2] }],
      [
        { column: "topic" as const, values: [1] },
        { column: "region" as const, values: [538, 83] }, // US, DE
      ],
      [{ column: "branded" as const, values: [0] }],
    ),
  }),
});

// The engine's own page is what the others are held against; the oracle holds them all.
test("however citations are counted and ordered, the page is the same", async () => {
  const folder = temporaryFolder();
  let number = 0;
  const facts = fc.array(arbitraryFact, { minLength: 1, maxLength: 40, size: "max" });
  const plans = fc.array(arbitraryPlan, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(facts, plans, async (all, asked) => {
    const file = await FactsFile.create(join(folder, `${number++}.duckdb`), factsSnapshot);
    try {
      const rows = factRowsAfter(0, all);
      if (rows !== null) await file.append(rows);
      const { signal } = new AbortController();
      const facts = {
        ask: (statement: Statement) => file.query(statement, signal),
        version: () => 1,
      };
      const index = (bytesMax: number) => {
        const tools = { facts, budget: new HeldBudget(bytesMax), segmentRows: 8 };
        return new PromptIndex(indexedCitations, tools);
      };
      const [absent, held] = [index(0), index(1_000_000)];
      held.current();
      await held.settled();
      assert.notEqual(held.current(), null);
      const readers = [
        new SourcesReader(file, absent, { counting: () => "rows", candidatesMax: 100 }),
        new SourcesReader(file, absent, { counting: () => "groups", candidatesMax: 100 }),
        new SourcesReader(file, absent, { counting: () => "rows", candidatesMax: 1 }),
        new SourcesReader(file, held),
      ];
      for (const plan of asked) {
        const expected = readSources(await file.query(sourcesStatement(plan), signal));
        for (const reader of readers) {
          const { used, ...page } = await reader.read(plan, codesOf(factsSnapshot).traits, signal);
          assert.equal(used.name, reader === readers.at(-1) ? "prompt_index" : "citations");
          assert.deepEqual(page, expected);
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
