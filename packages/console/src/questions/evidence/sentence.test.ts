import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import { intervalText, percentText, valueText } from "../../data/format.ts";
import { hitsOf, sentenceOf } from "./sentence.ts";

const rate = (numerator: number, interval: { low: number; high: number } | null = null) => ({
  value: numerator / 412,
  numerator,
  denominator: 412,
  effectivePrompts: 48,
  interval,
  flags: [],
});

const group: InsightsSummaryResponse["groups"][number] = {
  key: null,
  name: "all",
  answers: 412,
  prompts: 48,
  lastAnsweredAt: null,
  flags: [],
  informative: rate(300),
  entities: [
    {
      id: "t",
      name: "Tarnfell",
      shareOfVoice: rate(100),
      mentions: rate(182, { low: 0.38, high: 0.51 }),
      visibility: rate(206, { low: 0.4, high: 0.6 }),
      citations: rate(0),
      rank: {
        value: 1.5,
        numerator: 273,
        denominator: 182,
        effectivePrompts: 40,
        interval: null,
        flags: [],
      },
    },
  ],
};
const text = (role: Parameters<typeof sentenceOf>[0]["role"], entityId: string | null) =>
  sentenceOf({ group, role, entityId }).text;

// In the number format of the machine that runs the test.
const share = (numerator: number) => percentText(numerator / 412);
const bounds = (low: number, high: number) => intervalText("mentions", { low, high });

const rankText = "Its mean rank there, its place in the order of first mention,";

test("a number is said as a sentence", () => {
  assert.deepEqual(sentenceOf({ group, role: "mentioned", entityId: "t" }), {
    text: `Tarnfell was mentioned in 182 of 412 answers (${share(182)}, ${bounds(0.38, 0.51)}).`,
    more: `${rankText} is ${valueText("rank", 1.5)}.`,
  });
  assert.equal(text("cited", "t"), `Tarnfell was cited in 0 of 412 answers (${share(0)}).`);
  const missed = `206 of 412 answers (${share(206)}, ${bounds(0.4, 0.6)})`;
  assert.equal(text("notVisible", "t"), `Tarnfell was not visible in ${missed}.`);
  const only = sentenceOf({ group, role: "citedOnly", entityId: "t", share: rate(24) });
  assert.equal(
    only.text,
    `Tarnfell was cited and not mentioned in 24 of 412 answers (${share(24)}).`,
  );
  const citing = { source: "a.example", total: 1 };
  assert.equal(
    sentenceOf({ group, role: "mentioned", entityId: "t", citing }).text,
    "Tarnfell was mentioned in 1 answer that cites a.example.",
  );
  assert.equal(
    text("mentioned", null),
    `A tracked entity was mentioned in 300 of 412 answers (${share(300)}).`,
  );
  assert.equal(text("any", null), "412 answers pass the filters.");
  const one = sentenceOf({ group: { ...group, answers: 1 }, role: "any", entityId: null });
  assert.equal(one.text, "1 answer passes the filters.");
  const nobody = sentenceOf({ group: undefined, role: "cited", entityId: "t" });
  assert.equal(nobody.text, "No answer passes the filters.");
});

test("hits are as many as evidence lists", () => {
  const hits = (role: Parameters<typeof sentenceOf>[0]["role"]) =>
    hitsOf(group, { group, role, entityId: "t" });
  assert.deepEqual(
    [hits("mentioned"), hits("cited"), hits("visible"), hits("notVisible"), hits("any")],
    [182, 0, 206, 206, 412],
  );
  const both = { ...group.entities[0], citations: rate(100) };
  const ways = { ...group, entities: [both] as typeof group.entities };
  assert.deepEqual(
    (["both", "mentionedOnly", "citedOnly"] as const).map((role) =>
      hitsOf(ways, { group: ways, role, entityId: "t" }),
    ),
    [76, 106, 24],
  );
});
