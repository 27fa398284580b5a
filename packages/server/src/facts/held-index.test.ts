import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { arbitraryFact, factRowsAfter, factsSnapshot } from "../../test/arbitrary-facts.ts";
import { temporaryFolder } from "../../test/test-service.ts";
import { rowsIn } from "../analytics/index-answers.ts";
import { FactsFile } from "./duckdb/facts-file.ts";
import { HeldBudget } from "./held-budget.ts";
import { type FactsAccess, firstToMerge, PromptIndex } from "./held-index.ts";
import { indexedAppearances } from "./indexing.ts";

const { signal } = new AbortController();
const minuteMs = 60_000;
const facts = fc.sample(arbitraryFact, { numRuns: 90, seed: 1 });

/** Facts that grow by a batch at a time, and a clock that is moved. */
class Growing {
  readonly file: FactsFile;
  readonly access: FactsAccess;
  version = 0;
  nowMs = minuteMs;
  asked = 0;

  private constructor(file: FactsFile) {
    this.file = file;
    this.access = {
      ask: (statement) => {
        this.asked++;
        return file.query(statement, signal);
      },
      version: () => this.version,
    };
  }

  static async create(t: TestContext): Promise<Growing> {
    const folder = temporaryFolder();
    const file = await FactsFile.create(join(folder, "facts.duckdb"), factsSnapshot);
    t.after(async () => {
      await file.rest();
      rmSync(folder, { recursive: true });
    });
    return new Growing(file);
  }

  index(bytesMax: number) {
    const budget = new HeldBudget(bytesMax, () => this.nowMs);
    return this.indexWithin(budget);
  }

  indexWithin(budget: HeldBudget, segmentRows = 40) {
    return new PromptIndex(indexedAppearances, { facts: this.access, budget, segmentRows });
  }

  async append(some: typeof facts): Promise<void> {
    const rows = factRowsAfter(this.file.state.mark.sequence, some);
    if (rows !== null) await this.file.append(rows);
  }
}

test("what was never asked for is not read; what is asked for is there soon", async (t) => {
  const growing = await Growing.create(t);
  await growing.append(facts);
  const index = growing.index(1_000_000);
  await index.refresh(growing.access, signal);
  assert.equal(growing.asked, 0);
  assert.equal(index.current(), null);
  await index.settled();
  const held = index.current();
  assert.equal(held?.watermark, facts.length);
  assert.ok((held?.segments.length ?? 0) > 1, "several segments");
});

test("a batch is held before its version is told, if somebody asked of late", async (t) => {
  const growing = await Growing.create(t);
  const index = growing.index(1_000_000);
  await growing.append(facts.slice(0, 10));
  index.current();
  await index.settled();
  index.current();
  const batch = async (to: number) => {
    await growing.append(facts.slice(to - 10, to));
    await index.refresh({ ...growing.access, version: () => to }, signal);
    growing.version = to;
  };
  await batch(20);
  growing.nowMs += 9_999; // nobody asks in between
  await batch(30);
  assert.equal(index.current()?.watermark, 30);

  const { asked } = growing;
  growing.nowMs += 10_000;
  await batch(40);
  assert.equal(growing.asked, asked, "nobody asked for ten seconds");
  assert.equal(index.current(), null);
  await index.settled();
  assert.equal(index.current()?.watermark, 40);
});

test("few segments are held, whatever comes at once, and no row is lost", async (t) => {
  const growing = await Growing.create(t);
  const index = growing.index(1_000_000);
  for (const [at, fact] of facts.entries()) {
    await growing.append([fact]);
    growing.version++;
    index.current();
    await index.settled();
    const held = index.current();
    const counts = held?.segments.map(rowsIn) ?? [];
    assert.equal(
      counts.reduce((sum, rows) => sum + rows, 0),
      held?.rows,
    );
    assert.equal(held?.watermark, at + 1);
    assert.ok(counts.length <= Math.log2((held?.rows ?? 0) + 1) + 8, `segments of ${counts} rows`);
  }
});

test("a segment becomes one with all after it when they have as many rows, up to a bound", () => {
  const after = (...counts: readonly number[]) => firstToMerge(counts, 4);
  assert.equal(after(), -1);
  assert.equal(after(5), 0);
  assert.equal(after(4, 4), 0);
  assert.equal(after(4, 3), 1);
  assert.equal(after(4, 3, 2), 0);
  assert.equal(after(16, 4, 2, 1, 1), 1);
  assert.equal(after(8, 4, 2, 1, 1), 0);
  assert.equal(after(64, 64), 0, "32 times what is read at once");
  assert.equal(after(64, 65), 1);
  assert.equal(after(64, 32, 16, 16), 0);
  assert.equal(after(65, 32, 17, 16), 1);
});

test("of few rows, it becomes one with the others when they are many", () => {
  const after = (...counts: readonly number[]) => firstToMerge(counts, 100);
  assert.equal(after(1, 1, 1, 1, 1, 1, 1), 6);
  assert.equal(after(1, 1, 1, 1, 1, 1, 1, 1), 0);
  assert.equal(after(9, 1, 1, 1, 1, 1, 1, 1, 1), 1);
  assert.equal(after(60, 40), 1);
  assert.equal(after(50, 50), 0);
});

test("whole segments become larger ones, up to thirty-two of them", async (t) => {
  const growing = await Growing.create(t);
  await growing.append(facts);
  const index = growing.indexWithin(new HeldBudget(1_000_000), 3);
  index.current();
  await index.settled();
  const held = index.current();
  const counts = held?.segments.map(rowsIn) ?? [];
  const largest = counts.filter((rows) => rows === 96).length;
  assert.ok(largest > 1, `segments of ${counts} rows`);
  assert.equal(largest, Math.floor((held?.rows ?? 0) / 96));
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => other - one),
  );
});

test("where there is no room nothing is held, until whoever has it was not asked", async (t) => {
  const growing = await Growing.create(t);
  await growing.append(facts);
  const budget = new HeldBudget(5_000, () => growing.nowMs);
  const [first, second] = [growing.indexWithin(budget), growing.indexWithin(budget)];
  const read = async (index: typeof first) => {
    index.current();
    await index.settled();
    return index.current();
  };
  assert.notEqual(await read(first), null);
  assert.equal(await read(second), null);
  const { asked } = growing;
  assert.equal(await read(second), null);
  assert.equal(growing.asked, asked, "it is left alone for a minute");

  growing.nowMs += minuteMs + 1;
  assert.notEqual(await read(second), null);
  const before = first.current();
  assert.equal(before, null, "the first was let go of");

  const none = growing.index(0);
  assert.equal(await read(none), null);
});

test("what is forgotten while it is read stays forgotten", async (t) => {
  const growing = await Growing.create(t);
  await growing.append(facts);
  const index = growing.index(1_000_000);
  index.current();
  const reading = index.settled();
  index.forget();
  await reading;
  const { asked } = growing;
  assert.equal(index.current(), null);
  assert.ok(growing.asked > asked, "it is read anew");
  await index.settled();
  assert.notEqual(index.current(), null);
});
