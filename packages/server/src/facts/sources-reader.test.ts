import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { arbitraryFact, factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { oracleRuns } from "../../test/oracle/runs.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import type { SourcesPlan } from "../analytics/plan.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { readSources } from "./duckdb/read-results.ts";
import { sourcesStatement } from "./duckdb/statements.ts";
import { SourcesReader } from "./sources-reader.ts";

const day = 20_448; // 2025-12-26

const arbitraryPlan: fc.Arbitrary<SourcesPlan> = fc.record({
  choice: fc.constant({ rollup: null, refused: [] }),
  groupBy: fc.constantFrom("domain", "url"),
  limit: fc.integer({ min: 1, max: 4 }),
  offset: fc.oneof(fc.nat({ max: 9 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  rows: fc.record({
    parts: fc.integer({ min: 0, max: 9 }).map((days) => {
      return [{ table: "citations" as const, by: "day" as const, from: day, to: day + days }];
    }),
    conditions: fc.constantFrom(
      [],
      [{ column: "provider" as const, values: [1, 2, 3] }],
      [{ column: "prompt" as const, values: [2] }],
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
      const readers = [
        new SourcesReader(file, { counting: () => "rows", candidatesMax: 100 }),
        new SourcesReader(file, { counting: () => "groups", candidatesMax: 100 }),
        new SourcesReader(file, { counting: () => "rows", candidatesMax: 1 }),
      ];
      for (const plan of asked) {
        const expected = readSources(await file.query(sourcesStatement(plan), signal));
        for (const reader of readers) assert.deepEqual(await reader.read(plan, signal), expected);
      }
    } finally {
      await file.rest();
    }
  });
  const { questions, seed } = oracleRuns(12);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
});
