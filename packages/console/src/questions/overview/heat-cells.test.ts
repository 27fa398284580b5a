import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import { heatOf, heatRecords } from "./heat-cells.ts";

type Group = InsightsSummaryResponse["groups"][number];
type Value = Group["informative"];

function value(numerator: number, denominator: number, flags: Value["flags"] = []): Value {
  const isFew = flags.includes("insufficient");
  return {
    value: denominator === 0 ? null : numerator / denominator,
    numerator,
    denominator,
    interval: isFew || denominator === 0 ? null : { low: 0.1, high: 0.5, method: "bootstrap" },
    effectivePrompts: 12,
    flags,
  } as Value;
}

function entity(id: string, hits: number, answers: number, flags: Value["flags"] = []) {
  const its = value(hits, answers, flags);
  const rank = value(hits * 2, hits, flags);
  const all = { mentions: its, visibility: its, citations: its, rank, shareOfVoice: its };
  return { id, name: id.toUpperCase(), ...all } as Group["entities"][number];
}

const group = (key: string | null, answers: number, entities: Group["entities"]) =>
  ({
    key,
    name: key ?? "",
    answers,
    prompts: 9,
    lastAnsweredAt: null,
    informative: value(answers, answers),
    entities,
    flags: [],
  }) satisfies Group;

const reply: Parameters<typeof heatOf>[0] = {
  groupBy: "provider",
  groups: [
    group("GROK", 10, [
      entity("brand", 1, 10, ["insufficient"]),
      entity("first", 0, 10, ["insufficient"]),
      entity("second", 9, 10, ["insufficient"]),
    ]),
    group("OPENAI", 100, [
      entity("brand", 20, 100),
      entity("first", 40, 100),
      entity("second", 60, 100),
    ]),
    group("COPILOT", 0, []),
  ],
};

test("a row for each entity, a column for each group with answers, the strongest first", () => {
  const { groups, rows, groupsLeft } = heatOf(reply, "mentions");
  assert.deepEqual(groups, [
    { key: "OPENAI", name: "ChatGPT", answers: 100 },
    { key: "GROK", name: "Grok", answers: 10 },
  ]);
  assert.equal(groupsLeft, 0);
  assert.deepEqual(
    rows.map(({ name, isBrand }) => [name, isBrand]),
    [
      ["BRAND", true],
      ["SECOND", false],
      ["FIRST", false],
    ],
  );
  const said = rows.map(({ cells }) =>
    cells.map(({ text, basis, strength }) => [text, basis, strength]),
  );
  assert.deepEqual(said[0], [
    ["20.0%", "n = 100", 0.2 / 0.6],
    ["10.0%", "n = 10", null],
  ]);
  assert.equal(rows[0]?.cells[0]?.sure, "100 answers, 95 % interval 10–50%");
  assert.equal(rows[0]?.cells[1]?.sure, "10 answers, too few prompts for an interval");
});

test("of ranks the least is the strongest, and n counts mentions", () => {
  const { rows } = heatOf(reply, "rank");
  assert.equal(rows[0]?.cells[0]?.text, "2.00");
  assert.match(rows[0]?.cells[0]?.sure ?? "", /^20 mentions, /);
  assert.deepEqual([rows[2]?.cells[1]?.text, rows[2]?.cells[1]?.strength], ["–", null]);
});

test("columns are bounded, and groups without a key have a name", () => {
  const many = Array.from({ length: 30 }, (_, index) =>
    group(index === 0 ? null : `T${index}`, 100 - index, [entity("brand", 1, 100)]),
  );
  const { groups, groupsLeft } = heatOf({ groupBy: "topic", groups: many }, "mentions");
  assert.deepEqual([groups.length, groupsLeft, groups[0]?.name], [24, 6, "No topic"]);
  const records = heatRecords({ groupBy: "topic", groups: many }, "shareOfVoice");
  assert.equal(records.length, 31);
  const start = "topic,name,answers,prompts,entityId,entity,shareOfVoice,numerator";
  assert.equal(records[0]?.join(), `${start},denominator,low,high,insufficient`);
  assert.equal(records[1]?.join(), ",No topic,100,9,brand,BRAND,0.01,1,100,0.1,0.5,false");
});
