import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { providers } from "@sightline/contract";
import fc from "fast-check";
import { oracleRuns } from "../../test/oracle/runs.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import type { RecordedAnswer } from "../answers/answer-store.ts";
import type { Extraction } from "../extraction/index.ts";
import { codesOf } from "./codes.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { rollupLayouts, rollupTables } from "./duckdb/layout.ts";
import { factRowsOf } from "./fact-rows.ts";
import type { Snapshot } from "./snapshot.ts";

const idOf = (kind: number, number: number) =>
  `${kind}0000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const topics = [0, 1].map((number) => idOf(1, number));
const entities = [0, 1, 2].map((number) => ({
  id: idOf(2, number),
  name: `Entity ${number}`,
  names: [],
  domains: [],
}));
const snapshot: Snapshot = {
  factsVersion: 0,
  extractionVersion: 0,
  entities,
  topics,
  prompts: [0, 1, 2, 3].map((number) => {
    return { id: idOf(3, number), topicId: topics[number % 3] ?? null, branded: number === 1 };
  }),
};

const someOf = (most: number) =>
  fc.uniqueArray(fc.nat({ max: most - 1 }), { maxLength: most, size: "max" });

/** An answer and what is in it; instants lie around the ends of days, weeks, months and years. */
const arbitraryFact = fc.record({
  prompt: fc.nat({ max: 3 }),
  provider: fc.constantFrom(...providers),
  region: fc.constantFrom("US", "DE", null),
  answeredAt: fc.integer({ min: Date.UTC(2025, 11, 28), max: Date.UTC(2026, 1, 2) }),
  mentions: someOf(entities.length),
  cited: someOf(entities.length),
  pages: someOf(5),
});

type Fact = typeof arbitraryFact extends fc.Arbitrary<infer Value> ? Value : never;

function rowsOf(facts: readonly Fact[], after: number) {
  const extractions = new Map<string, Extraction>();
  const answers = facts.map((fact, index): RecordedAnswer => {
    const id = idOf(4, after + index + 1);
    extractions.set(id, {
      mentions: fact.mentions,
      citedEntities: fact.cited.toSorted(),
      citations: fact.pages.map((page) => {
        return { url: `https://site${page % 2}.com/${page}`, domain: `site${page % 2}.com` };
      }),
    });
    return {
      id,
      sequence: after + index + 1,
      promptId: idOf(3, fact.prompt),
      provider: fact.provider,
      region: fact.region,
      answeredAt: fact.answeredAt,
      outcome: "answered",
      text: id,
      citations: [],
      model: null,
      surface: null,
      sample: 0,
      metadata: null,
    };
  });
  const none: Extraction = { mentions: [], citedEntities: [], citations: [] };
  return factRowsOf(answers, codesOf(snapshot), ({ text }) => extractions.get(text) ?? none);
}

/** The rows of a rollup that the rows themselves do not give, and the other way round. */
async function differences(file: FactsFile): Promise<readonly string[]> {
  const found: string[] = [];
  for (const table of rollupTables) {
    const names = rollupLayouts[table].keys.map(([name]) => name).join(", ");
    const sums = "sum(mentioned), sum(cited), sum(visible), sum(rank)";
    const sql = `with rollup as (select ${names}, ${sums} from ${table} group by ${names}),
      raw as (select ${names}, ${sums} from appearances group by ${names})
      select cast(count(*) as double) from (
        (from rollup except all from raw) union all (from raw except all from rollup))`;
    const [chunk] = await file.query({ sql, values: [] }, AbortSignal.timeout(60_000));
    if (chunk?.getColumnVector(0).getItem(0) !== 0) found.push(table);
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
    const file = await FactsFile.create(join(folder, `${number++}.duckdb`), snapshot);
    try {
      for (const { facts, isCompacted } of all) {
        await file.append(rowsOf(facts, file.state.watermark));
        if (isCompacted) await file.compact({ factor: 0, rowsMin: 0 });
        assert.deepEqual(await differences(file), []);
      }
    } finally {
      await file.rest();
    }
  });
  const { questions, seed } = oracleRuns(12);
  await fc.assert(property, { numRuns: questions, seed });
  rmSync(folder, { recursive: true });
});
