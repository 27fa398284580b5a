import assert from "node:assert/strict";
import { test } from "node:test";
import {
  planCostText,
  plannedOptions,
  planSentences,
  sizeText,
  trendText,
} from "./insight-sentences.ts";
import type { InsightsPlanResponse } from "./insights-plan.ts";

type Option = InsightsPlanResponse["options"][number];

function option(answersPerPrompt: number, prompts: number | null, more: Partial<Option> = {}) {
  const requests = prompts === null ? null : prompts * answersPerPrompt;
  const cost = requests === null ? null : requests / 100;
  return {
    answersPerPrompt,
    prompts,
    requests,
    cost,
    leastChange: null,
    isCheapest: answersPerPrompt === 1 && prompts !== null,
    ...more,
  };
}

function plan(options: readonly Option[], more: Partial<InsightsPlanResponse> = {}) {
  const measured = { rate: 0.3, withinVariance: 0.021, correlation: 0.9, drift: 0 };
  const now = { answersPerPrompt: 6.96, leastChange: 0.1394100242 };
  const asked = { change: 0.05, power: 0.8, prompts: 48, now, windows: [], prices: [] };
  const reply = { metric: "mentions" as const, ...measured, assumed: false, ...asked, empty: null };
  return { ...reply, options: [...options], ...more };
}

test("a plan: what shows the change, what today's prompts show, where more buys nothing", () => {
  const options = [
    option(1, 272, { leastChange: 0.1696599436 }),
    option(7, 156, { leastChange: 0.1394100242 }),
    option(28, 142, { leastChange: 0.134703784 }),
  ];
  assert.deepEqual(planSentences(plan(options)), [
    "To see a change of 5 points with a probability of 80 %, you need 272 prompts with 1 answer " +
      "each in a period as long as this one: 272 answers, for $2.72.",
    "Today's 48 prompts, with 7 answers each, show a change of 13.9 points or more.",
    "More than 7 answers a prompt buy almost nothing: with 28 it still takes 142 prompts instead " +
      "of 156.",
  ]);
});

test("a plan of one option, without prices, that is assumed, of too few prompts", () => {
  const now = { answersPerPrompt: 1, leastChange: null };
  const one = option(7, 1_560, { cost: null, isCheapest: true });
  assert.deepEqual(planSentences(plan([one], { assumed: true, prompts: 1, now, power: 0.955 })), [
    "To see a change of 5 points with a probability of 95.5 %, you need 1,560 prompts with 7 " +
      "answers each in a period as long as this one: 10,920 answers.",
    "Today's 1 prompt is too few to show any change: it takes 6.",
    "How alike answers to a prompt are (0.90) is assumed, not measured.",
  ]);
});

test("a plan for a rank, which goes by the last change; answers that are all alike", () => {
  const same = { leastChange: 0.6, isCheapest: false };
  const options = [option(1, 57, same), option(28, 57, same)];
  const now = { answersPerPrompt: null, leastChange: 0.6 };
  const unvaried = { metric: "rank" as const, withinVariance: null, correlation: null, now };
  const rank = plan(options, { ...unvaried, change: 0.5 });
  assert.deepEqual(planSentences(rank), [
    "To see a change of 0.5 places with a probability of 80 %, you need 57 prompts with as many " +
      "answers each as today, in a period as long as this one.",
    "Today's 48 prompts show a change of 0.6 places or more.",
    "What more answers a prompt buy is not known: this plan goes by the last change.",
  ]);
  assert.deepEqual([plannedOptions(rank), plannedOptions(plan(options))], [[], options]);
  assert.equal(
    planSentences(plan(options)).at(-1),
    "More than 1 answer a prompt buys nothing: as many prompts are needed.",
  );
});

test("a plan that shows nothing, or that nothing is known of", () => {
  const now = { answersPerPrompt: 1, leastChange: 1.2 };
  const none = [option(1, null, { leastChange: 1.2 }), option(28, null, { leastChange: 0.9 })];
  assert.deepEqual(planSentences(plan(none, { change: 0.00001, now })), [
    "To see a change of 0.001 points, more than a million prompts are needed.",
    "Today's 48 prompts, with 1 answer each, show no change.",
  ]);
  const nothing = { answersPerPrompt: null, leastChange: null };
  const unmeasured = { withinVariance: null, correlation: null, drift: null };
  const unknown = { rate: null, ...unmeasured, now: nothing };
  assert.deepEqual(planSentences(plan([option(1, null)], unknown)), [
    "Too few answers of this period and the one before it have a value to plan from.",
  ]);
  const empty = { reason: "outsideRange" as const, first: null, last: null };
  assert.deepEqual(planSentences(plan([option(1, null)], { ...unknown, empty })), []);
  const given = plan([option(1, 272)], { now: nothing, prompts: 0, assumed: true, empty });
  assert.match(planSentences(given).join(" "), /272 answers.*Today's 0 prompts are too few/);
});

test("sizes and costs", () => {
  assert.deepEqual(
    [sizeText("mentions", 0.01), sizeText("rank", 1), sizeText("rank", 0.25)],
    ["1 point", "1 place", "0.25 places"],
  );
  assert.deepEqual([0, 0.00123, 1_234.5].map(planCostText), ["$0.00", "$0.0012", "$1,234.50"]);
});

test("a trend has a direction only where it is clear", () => {
  const trend = {
    slope: 0.0044,
    weeks: 8,
    from: "2026-01-05T00:00:00.000Z",
    effectivePrompts: 12,
    interval: null,
    p: 0.01,
    adjustedP: 0.02,
    verdict: "moved" as const,
  };
  const falling = { ...trend, slope: -0.12 };
  assert.equal(trendText("mentions", trend), "rises by 0.4 points a week over 8 weeks, clear");
  assert.equal(trendText("mentions", falling), "falls by 12 points a week over 8 weeks, clear");
  assert.equal(trendText("rank", falling), "improves by 0.12 places a week over 8 weeks, clear");
  assert.equal(trendText("rank", trend), "worsens by 0.004 places a week over 8 weeks, clear");
  const noise = { ...trend, verdict: "within-noise" as const };
  assert.equal(trendText("mentions", noise), "no clear trend over 8 weeks");
  const few = { ...trend, p: null, adjustedP: null, verdict: "insufficient" as const };
  assert.equal(trendText("mentions", few), "no trend: too few effective prompts");
  assert.match(trendText("mentions", null), /^no trend: too few whole weeks/);
});
