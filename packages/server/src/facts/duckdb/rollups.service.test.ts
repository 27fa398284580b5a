import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  arbitraryFact,
  factRowsAfter,
  factsSnapshot,
} from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import { oracleRuns } from "@sightline/test-kit/oracle/runs.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import fc from "fast-check";
import { constant, sql } from "../../platform/sql.ts";
import { FactsFile } from "./facts-file.ts";
import { summedInto } from "./layout.ts";

/** The rows that each rollup is a sum of. */
const rowsOf = {
  daily: "appearances",
  daily_domains: "(select *, 1 as citations from citations)",
} as const;

/** The rollups whose rows are not the sums of the rows themselves. */
async function differences(file: FactsFile): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of ["daily", "daily_domains"] as const) {
    const query = sql`with rollup as (${constant(summedInto(table, table))}),
      raw as (${constant(summedInto(table, rowsOf[table]))})
      select cast(count(*) as double) from (
        (from rollup except all from raw) union all (from raw except all from rollup))`;
    const statement = { query, shape: { rows: "number" } } as const;
    const [counted] = await file.query(statement, AbortSignal.timeout(60_000));
    if (counted?.rows !== 0) found.push(table);
  }
  return found;
}

test("every rollup equals the rows, in whatever batches they come and are compacted", async () => {
  const folder = temporaryFolder();
  const batches = fc.array(
    fc.record({ facts: fc.array(arbitraryFact, { minLength: 1 }), isCompacted: fc.boolean() }),
    { minLength: 1, maxLength: 5 },
  );
  let number = 0;
  const property = fc.asyncProperty(batches, async (all) => {
    const file = await FactsFile.create(join(folder, `${number++}.duckdb`), factsSnapshot);
    try {
      for (const { facts, isCompacted } of all) {
        const rows = await factRowsAfter(file.state.mark.sequence, facts);
        if (rows !== null) await file.append(rows);
        if (isCompacted) await file.compact({ factor: 0, rowsMin: 0 });
        assert.deepEqual(await differences(file), []);
      }
    } finally {
      file.close();
    }
  });
  const { questions, seed } = oracleRuns(12);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
});
