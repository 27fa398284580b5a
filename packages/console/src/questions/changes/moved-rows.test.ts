import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import fc from "fast-check";
import type { Change } from "./change-text.ts";
import { competitorRows, waterfallOf } from "./moved-rows.ts";

const days = { before: "1 – 7 Jan 2026", now: "8 – 14 Jan 2026" };
const parts = { likeForLike: 0.0213, mix: 0.003149, promptsAdded: 0.0089, promptsRemoved: -0.001 };
const change: Change = {
  value: 0.032349,
  parts,
  effectivePrompts: 37,
  interval: { low: 0.0041, high: 0.0385 },
  p: 0.004,
  adjustedP: 0.012,
  verdict: "moved",
  flags: [],
};
const prompts = { before: 46, after: 48 };

test("the steps lead from the value before to the value now, in figures that add up", () => {
  const found = waterfallOf({ metric: "mentions", now: 0.436, change, prompts, days });
  assert.deepEqual(
    found?.steps.map(({ kind, title, about, text }) => [kind, title, about, text]),
    [
      ["side", "Before", "1 – 7 Jan 2026", "40.37%"],
      ["part", "Like for like", "37 effective prompts in both", "+2.13 pts"],
      ["part", "Mix", "other shares of providers and regions", "+0.31 pts"],
      ["part", "Prompts added", "with answers only in this period", "+0.89 pts"],
      ["part", "Prompts removed", "with answers only in the period before", "\u22120.10 pts"],
      ["side", "Now", "8 – 14 Jan 2026", "43.60%"],
    ],
  );
  assert.equal(found?.scale, "40.0% to 44.1%");
});

test("without common prompts one step is the change of all answers", () => {
  const found = waterfallOf({
    metric: "rank",
    now: 2,
    change: { ...change, value: -0.25, parts: null },
    prompts,
    days,
  });
  assert.deepEqual(
    found?.steps.map(({ title, text }) => [title, text]),
    [
      ["Before", "2.250"],
      ["Change of all answers", "\u22120.250"],
      ["Now", "2.000"],
    ],
  );
  const none = { ...change, value: null, parts: null };
  assert.equal(waterfallOf({ metric: "rank", now: 2, change: none, prompts, days }), null);
  assert.equal(waterfallOf({ metric: "rank", now: null, change, prompts, days }), null);
});

test("steps join, stay on the scale, and add up as they stand", () => {
  const amount = fc.double({ min: -0.2, max: 0.2, noNaN: true });
  const property = fc.property(
    fc.tuple(amount, amount, amount, amount),
    fc.double({ min: 0, max: 1, noNaN: true }),
    ([likeForLike, mix, promptsAdded, promptsRemoved], now) => {
      const value = likeForLike + mix + promptsAdded + promptsRemoved;
      const found = waterfallOf({
        metric: "mentions",
        now,
        change: { ...change, value, parts: { likeForLike, mix, promptsAdded, promptsRemoved } },
        prompts,
        days,
      });
      assert.ok(found !== null);
      const { steps } = found;
      for (const [at, { from, to }] of steps.entries()) {
        assert.ok(from > 0 && from < 1 && to > 0 && to < 1);
        if (at > 0) assert.ok(Math.abs((steps[at - 1]?.to ?? 0) - from) < 1e-9);
      }
      const figures = steps.map(({ text }) =>
        Math.round(Number.parseFloat(text.replace("\u2212", "-")) * 100),
      );
      const sum = figures.slice(0, -1).reduce((all, each) => all + each, 0);
      assert.equal(sum, figures.at(-1));
    },
  );
  fc.assert(property);
});

const metric = (value: number, denominator: number, changed: Partial<Change>) => ({
  value,
  numerator: Math.round(value * denominator),
  denominator,
  effectivePrompts: 20,
  interval: null,
  flags: [],
  change: { ...change, ...changed },
});

/** An entity whose ranks are of the answers that mention it. */
const entity = (id: string, mentions: number, changed: Partial<Change>) => {
  const rate = metric(mentions, 200, changed);
  return {
    id,
    name: id,
    mentions: rate,
    visibility: rate,
    citations: rate,
    rank: metric(2, 200 * mentions, { ...changed, value: 0.5 }),
    shareOfVoice: rate,
  };
};

const reply: InsightsSummaryResponse = {
  groupBy: "none",
  groups: [
    {
      key: null,
      name: "All answers",
      answers: 200,
      prompts: 48,
      lastAnsweredAt: null,
      informative: metric(0.8, 200, {}),
      flags: [],
      entities: [
        entity("Acme", 0.5, {}),
        entity("Globex", 0.3, {
          verdict: "within-noise",
          value: 0.1,
          parts: { ...parts, likeForLike: 0.1 },
        }),
        entity("Initech", 0.2, { value: -0.05, parts: { ...parts, likeForLike: -0.05 } }),
        entity("Umbrella", 0.2, { value: null }),
      ],
    },
  ],
  tests: 20,
  empty: null,
  compare: {
    timeRange: { from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:00Z" },
    answers: 100,
    prompts: 46,
    empty: null,
    discontinuous: [],
  },
};

test("competitors: those that moved first, each with the counts of both periods", () => {
  const before = { first: "2026-01-01", last: "2026-01-07" };
  const shown = (of: "mentions" | "rank") =>
    competitorRows({ reply, metric: of, before }).map((row) => {
      return [row.name, row.before.value, row.before.counts, row.after.counts];
    });
  assert.deepEqual(shown("mentions"), [
    ["Initech", "25.0%", "25 of 100", "40 of 200"],
    ["Globex", "20.0%", "20 of 100", "60 of 200"],
  ]);
  assert.deepEqual(shown("rank")[0], ["Initech", "1.50", "25 mentions", "40 mentions"]);
  const [first] = competitorRows({ reply, metric: "mentions", before });
  assert.deepEqual(first?.before.evidence, { promptId: null, part: null, dates: before });
});
