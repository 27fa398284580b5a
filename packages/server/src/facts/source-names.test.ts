import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Fact } from "../../test/arbitrary-facts.ts";
import { factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import type { Statement } from "./duckdb/statements.ts";
import { SourceNames } from "./source-names.ts";

/** An answer that cites nine pages, whose numbers are 1 to 9 in their order. */
const fact: Fact = {
  prompt: 0,
  provider: "OPENAI",
  region: null,
  answeredAt: Date.UTC(2026, 0, 1),
  mentions: [],
  cited: [],
  pages: [0, 1, 2, 3, 4, 5, 6, 7, 8],
};

test("names near a page are asked for along with it, and never by themselves", async (t) => {
  const folder = temporaryFolder();
  const file = await FactsFile.create(join(folder, "facts.duckdb"), factsSnapshot);
  t.after(async () => {
    await file.rest();
    rmSync(folder, { recursive: true });
  });
  const rows = factRowsAfter(0, [fact]);
  assert.ok(rows !== null);
  await file.append(rows);
  const urls = rows.urls.names.split("\n");
  let asked = 0;
  const names = new SourceNames();
  const of = async (numbers: readonly number[], near: readonly number[]) => {
    const found = await names.of({ groupBy: "url", numbers, near }, (statement: Statement) => {
      asked++;
      return file.query(statement, new AbortController().signal);
    });
    for (const number of numbers) assert.equal(found.get(number), urls[number - 1]);
    return asked;
  };
  assert.equal(await of([1, 2], [3, 4]), 1);
  assert.equal(await of([4, 2, 3], [5, 6]), 1, "kept, and what is near is not asked for");
  assert.equal(await of([5], [6]), 2);
  assert.equal(await of([6, 1], []), 2);
});
