import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsChangesResponse } from "@sightline/client";
import { contributionRows, groupingsOf } from "./contributions.ts";

const side = (numerator: number, denominator: number) => ({
  value: denominator === 0 ? null : numerator / denominator,
  numerator,
  denominator,
});

/** Topics a 5/10, b 2/10 → 6/10, 3/10, and a new one of 8/10; the last is not listed. */
const reply: InsightsChangesResponse = {
  metric: "mentions",
  by: "topic",
  value: 17 / 30 - 7 / 20,
  parts: null,
  change: {
    value: 17 / 30 - 7 / 20,
    parts: null,
    effectivePrompts: 0,
    interval: null,
    p: null,
    adjustedP: null,
    verdict: "insufficient",
    flags: [],
  },
  contributions: [
    {
      key: "c",
      name: "New",
      value: 0.11388888888888889,
      within: 0,
      mix: 0.11388888888888889,
      before: side(0, 0),
      after: side(8, 10),
    },
    {
      key: null,
      name: "No topic",
      value: 0.07638888888888888,
      within: 0.0416666666,
      mix: 0.0347222222,
      before: side(2, 10),
      after: side(3, 10),
    },
  ],
  rest: {
    contributions: 1,
    value: 0.026388888888888889,
    within: 0.0416666666,
    mix: -0.0152777777,
    before: side(5, 10),
    after: side(6, 10),
  },
  empty: null,
  compare: {
    timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" },
    answers: 20,
    prompts: 2,
    empty: null,
    discontinuous: [],
  },
};
const before = { first: "2026-01-01", last: "2026-01-07" };

test("contributions, the others and their sum are lines that add up to the change", () => {
  const rows = contributionRows({ reply, before });
  assert.deepEqual(
    rows.map(({ kind, name, contribution }) => [kind, name, contribution]),
    [
      ["part", "New", "+11.39 pts"],
      ["part", "No topic", "+7.64 pts"],
      ["rest", "1 other", "+2.64 pts"],
      ["sum", "All, which is the change", "+21.67 pts"],
    ],
  );
  assert.deepEqual(
    rows.map(({ bar }) => bar?.toFixed(3)),
    ["1.000", "0.671", "0.232", undefined],
  );
  assert.deepEqual(
    rows.map((row) => [row.before.counts, row.after.counts]),
    [
      ["no answers", "8 of 10"],
      ["2 of 10", "3 of 10"],
      ["5 of 10", "6 of 10"],
      ["7 of 20", "17 of 30"],
    ],
  );
});

test("a side opens the answers of its line and period, where a filter finds them", () => {
  const [added, none] = contributionRows({ reply, before });
  assert.deepEqual(added?.after.evidence, {
    promptId: null,
    part: { by: "topic", key: "c" },
    dates: null,
  });
  assert.equal(added?.before.evidence, null);
  assert.equal(none?.after.evidence, null);
  const ofPrompt = { ...reply, by: "prompt" } as const;
  const [, , , sum] = contributionRows({ reply: ofPrompt, before });
  assert.equal(sum?.after.evidence, null);
  const [prompt] = contributionRows({ reply: swapped(ofPrompt), before });
  assert.deepEqual(prompt?.before.evidence, { promptId: "c", part: null, dates: before });
});

test("by domain each line has the denominator of the whole, and ranks are not divided so", () => {
  const ofDomain: InsightsChangesResponse = {
    ...reply,
    by: "domain",
    value: 0.05,
    contributions: [
      {
        key: "x.example",
        name: "x.example",
        value: -0.075,
        within: -0.075,
        mix: 0,
        before: side(1.5, 4),
        after: side(1.5, 5),
      },
      {
        key: null,
        name: "No citation",
        value: 0.125,
        within: 0.125,
        mix: 0,
        before: side(0.5, 4),
        after: side(1.25, 5),
      },
    ],
    rest: { ...reply.rest, contributions: 0, value: 0, before: side(0, 0), after: side(0, 0) },
  };
  const rows = contributionRows({ reply: ofDomain, before });
  assert.deepEqual(
    rows.map((row) => [row.contribution, row.before.counts, row.after.counts, row.bar]),
    [
      ["\u22127.50 pts", "1.5 of 4", "1.5 of 5", -0.6],
      ["+12.50 pts", "0.5 of 4", "1.3 of 5", 1],
      ["+5.00 pts", "2 of 4", "2.8 of 5", null],
    ],
  );
  assert.equal(groupingsOf("rank").includes("domain"), false);
  assert.equal(groupingsOf("citations").includes("domain"), true);
});

test("figures are in the unit of the reply's own metric", () => {
  const figureOf = (metric: InsightsChangesResponse["metric"]) =>
    contributionRows({ reply: { ...reply, metric }, before }).at(-1)?.contribution;
  assert.equal(figureOf("visibility"), "+21.67 pts");
  assert.equal(figureOf("rank"), "+0.217");
});

test("without a change there are no lines", () => {
  assert.deepEqual(contributionRows({ reply: { ...reply, value: null }, before }), []);
});

/** The same change, seen from the other side. */
function swapped(given: InsightsChangesResponse): InsightsChangesResponse {
  return {
    ...given,
    contributions: given.contributions.map((each) => ({
      ...each,
      before: each.after,
      after: each.before,
    })),
  };
}
