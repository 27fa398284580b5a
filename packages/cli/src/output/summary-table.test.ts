import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import { summaryTable } from "./summary-table.ts";

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];

const plain = { width: 100, colour: false, isTerminal: true };
const timeRange = { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };
const compared = { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };

const rate: Value = {
  value: 0.421,
  numerator: 421,
  denominator: 1_000,
  effectivePrompts: 12,
  interval: { low: 0.38, high: 0.4649 },
  flags: ["exploratory"],
};
const rank: Value = { ...rate, value: 1.5, interval: { low: 1.21, high: 1.79 } };
const none: Value = { ...rate, value: null, interval: null };

const asked = { timeRange, compared: null, parts: false };

function replyOf(change?: Value["change"]): InsightsSummaryResponse {
  const changed = change === undefined ? {} : { change };
  const group: Group = {
    key: null,
    name: "All answers",
    answers: 1_000,
    prompts: 12,
    lastAnsweredAt: "2026-01-07T00:00:00.000Z",
    informative: rate,
    flags: ["exploratory"],
    entities: [
      {
        id: "dcc39a73-deb2-5142-a102-627d8d2a9653",
        name: "Acme\u001b[2J",
        mentions: { ...rate, ...changed },
        visibility: { ...rate, ...changed },
        citations: { ...none, ...changed },
        rank: { ...rank, ...changed },
        shareOfVoice: { ...rate, ...changed },
      },
    ],
  };
  const compare = {
    timeRange: { from: "2026-01-01T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" },
    answers: 900,
    prompts: 12,
    empty: null,
    discontinuous: ["OPENAI" as const],
  };
  const other = change === undefined ? {} : { compare };
  return { groupBy: "none", groups: [group], tests: 5, empty: null, ...other };
}

test("values with their intervals, a line an entity", () => {
  assert.deepEqual(summaryTable(replyOf(), asked, plain), [
    "The brand and each competitor",
    "2026-01-08 to before 2026-01-15 (UTC)",
    "",
    "All answers: 1,000 answers to 12 prompts, 42.1% name an entity",
    "                   mentioned        visible  cited            rank          voice",
    "Acme\\u{1b}[2J  42.1% (38–46)  42.1% (38–46)      –  1.50 (1.2–1.8)  42.1% (38–46)",
    "",
    "in brackets: the 95 % interval; fewer than 6 effective prompts have none",
  ]);
});

test("trends: a line each, and why there is none", () => {
  const { groups, ...reply } = replyOf();
  const trend = {
    slope: 0.0044,
    weeks: 8,
    from: "2026-01-05T00:00:00.000Z",
    effectivePrompts: 12,
    interval: { low: 0.001, high: 0.0078 },
    p: 0.01,
    adjustedP: 0.0204,
    verdict: "moved" as const,
  };
  const rising = { ...trend, slope: -0.12, adjustedP: null, verdict: "insufficient" as const };
  const trends = { mentions: trend, rank: { ...rising, interval: null }, citations: null };
  const withTrends = groups.map((group) => ({
    ...group,
    entities: group.entities.map((entity) => ({
      ...entity,
      mentions: { ...entity.mentions, trend: trends.mentions },
      citations: { ...entity.citations, trend: trends.citations },
      rank: { ...entity.rank, trend: trends.rank },
    })),
  }));
  const lines = summaryTable({ ...reply, groups: withTrends }, asked, plain);
  assert.deepEqual(lines.slice(6), [
    "",
    "                           a week            interval      p  trend          weeks",
    "Acme\\u{1b}[2J  mentioned  +0.4 pp  +0.1 pp to +0.8 pp  0.020  moved              8",
    "               cited            –                   –      –  too few weeks",
    "               rank         -0.12                   –      –  insufficient       8",
    "",
    "in brackets: the 95 % interval; fewer than 6 effective prompts have none",
    "trend: of the prompts with answers in all of the last whole weeks (UTC, from Monday) with",
    "the same models and surfaces; p is adjusted for the reply's trends",
    "too few weeks: fewer than 5 of them, or no such prompt; a longer range: --from 12w",
  ]);
});

test("ranks that are all equal have no interval in brackets", () => {
  const reply = replyOf();
  const [group] = reply.groups;
  const [acme] = group?.entities ?? [];
  assert.ok(group !== undefined && acme !== undefined);
  const first: Value = { ...rank, value: 1, interval: { low: 1, high: 1 }, flags: ["noVariation"] };
  const groups = [{ ...group, entities: [{ ...acme, rank: first }] }];
  const table = summaryTable({ ...reply, groups }, asked, plain).join("\n");
  assert.match(table, / 1\.00 {2,}/);
  assert.doesNotMatch(table, /1\.00 \(/);
});

test("one answer to one prompt", () => {
  const { groups, ...reply } = replyOf();
  const one = groups.map((group) => ({ ...group, answers: 1, prompts: 1 }));
  const lines = summaryTable({ ...reply, groups: one }, asked, plain);
  assert.equal(lines[3], "All answers: 1 answer to 1 prompt, 42.1% name an entity");
});

const change = {
  value: 0.0412,
  parts: { likeForLike: 0.0312, mix: 0.005, promptsAdded: 0.007, promptsRemoved: -0.002 },
  effectivePrompts: 12,
  flags: [],
  interval: { low: 0.01, high: 0.05 },
  p: 0.004,
  adjustedP: 0.0204,
  verdict: "moved" as const,
};
const shown = { timeRange, compared, parts: false };

test("changes like for like, a line a value", () => {
  const lines = summaryTable(replyOf(change), shown, plain);
  assert.deepEqual(lines.slice(1, 8), [
    "2026-01-08 to before 2026-01-15, against 2026-01-01 to before 2026-01-08 (UTC)",
    "",
    "All answers: 1,000 answers to 12 prompts, 42.1% name an entity",
    "                            now  like for like            interval      p  verdict",
    "Acme\\u{1b}[2J  mentioned  42.1%        +3.1 pp  +1.0 pp to +5.0 pp  0.020  moved",
    "               visible    42.1%        +3.1 pp  +1.0 pp to +5.0 pp  0.020  moved",
    "               cited          –        +3.1 pp  +1.0 pp to +5.0 pp  0.020  moved",
  ]);
  assert.deepEqual(lines.slice(-6), [
    "like for like: of the prompts with answers in both ranges, without other shares of providers",
    "and regions; the whole change and its parts: --parts",
    "interval: 95 %, of the like-for-like change",
    "p is adjusted for 5 tests",
    "models or surfaces of OPENAI differ between the ranges; discontinuous: they",
    "alone can move a rate as far as the threshold",
  ]);
});

test("the whole change and its parts, one step away", () => {
  const lines = summaryTable(replyOf(change), { ...shown, parts: true }, plain);
  assert.match(lines[4] ?? "", /^ +now +change +mix +added +removed +like for like +interval/);
  assert.match(lines[5] ?? "", / 42\.1% +\+4\.1 pp +\+0\.5 pp +\+0\.7 pp +-0\.2 pp +\+3\.1 pp /);
  assert.ok(lines.some((line) => line.includes("change = like for like + mix + prompts added")));
});

test("what is not tested says why", () => {
  const nothing = {
    value: null,
    parts: null,
    effectivePrompts: 0,
    interval: null,
    p: null,
    adjustedP: null,
    verdict: null,
    flags: [],
  };
  const day = { from: "2026-01-07T00:00:00.000Z", to: "2026-01-08T00:00:00.000Z" };
  const short = summaryTable(replyOf(nothing), { ...shown, compared: day }, plain);
  assert.match(short[5] ?? "", /mentioned +42\.1% +– +– +– +–$/);
  assert.ok(short.includes("no verdict: a range is shorter than 7 days"));
  const few = { ...change, verdict: "insufficient" as const, flags: ["fewDays" as const] };
  const lines = summaryTable(replyOf(few), shown, plain);
  assert.ok(
    lines.includes(
      "insufficient: no value, or fewer than 6 effective prompts with answers in both ranges",
    ),
  );
  assert.ok(
    lines.includes(
      "fewer than 5 days with answers in a range: changes are tested by prompts alone",
    ),
  );
});

test("narrow intervals have a digit more", () => {
  const narrow = { ...rate, value: 0.08, interval: { low: 0.0794, high: 0.0806 } };
  const reply = replyOf();
  const [group] = reply.groups;
  const [entity] = group?.entities ?? [];
  assert.ok(group !== undefined && entity !== undefined);
  const ranks = { ...rank, interval: { low: 1.49, high: 1.515 } };
  const entities = [{ ...entity, mentions: narrow, rank: ranks }];
  const lines = summaryTable({ ...reply, groups: [{ ...group, entities }] }, asked, plain);
  assert.match(lines[5] ?? "", / 8\.0% \(7\.9–8\.1\) .* 1\.50 \(1\.49–1\.51\) /);
});
