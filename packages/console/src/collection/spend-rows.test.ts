import assert from "node:assert/strict";
import { test } from "node:test";
import { isReached, type SpendRow, spendRows } from "./spend-rows.ts";

const of = (provider: "OPENAI" | "GROK", calls: number, dollars: number) => ({
  provider,
  calls,
  dollars,
  assumedDollars: 0,
  reservedDollars: 0.5,
  unsettledDollars: 7,
  expectedDollars: 0.25,
});

test("spending is summed, and stands beside the caps, also of who was not asked yet", () => {
  const today = [of("OPENAI", 2, 1)];
  const month = [of("GROK", 3, 4), of("OPENAI", 5, 2)];
  const caps = { dollarsPerDay: 10, providers: { ANTHROPIC: { callsPerDay: 7 } } };
  const rows = spendRows({ today, month }, caps);
  assert.deepEqual(
    rows.map(({ provider, today: { calls, dollars }, month: { dollars: all }, cap }) => {
      return [provider, calls, dollars, all, cap.calls, cap.dollars];
    }),
    [
      [null, 2, 1, 6, null, 10],
      ["OPENAI", 2, 1, 2, null, null],
      ["ANTHROPIC", 0, 0, 0, 7, null],
      ["GROK", 0, 0, 4, null, null],
    ],
  );
  const [all] = rows;
  assert.deepEqual([all?.month.reservedDollars, all?.month.unsettledDollars], [1, 14]);
  assert.deepEqual(spendRows({ today: [], month: [] }, undefined).length, 1);
});

test("a cap is reached by what is under way, and by what was probably spent", () => {
  const row = (cap: SpendRow["cap"]) => ({ today: of("OPENAI", 2, 1), cap });
  assert.equal(isReached(row({ calls: null, dollars: null })), false);
  assert.equal(isReached(row({ calls: 3, dollars: 1.76 })), false);
  assert.equal(isReached(row({ calls: 2, dollars: null })), true);
  assert.equal(isReached(row({ calls: null, dollars: 1.75 })), true);
});
