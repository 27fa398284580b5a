import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import { portrayalRecords, portrayalTable } from "./portrayal-table.ts";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];
type Portrayal = NonNullable<Entity["portrayal"]>;

const plain = { width: 120, colour: false, isTerminal: true };
const timeRange = { from: "2026-01-08T00:00:00.000Z", to: "2026-01-15T00:00:00.000Z" };

const rate: Entity["mentions"] = {
  value: 0.25,
  numerator: 25,
  denominator: 100,
  effectivePrompts: 12,
  interval: { low: 0.18, high: 0.34 },
  flags: ["exploratory"],
};
const none: Entity["mentions"] = { ...rate, value: 0, numerator: 0, interval: null };
const unmeasured = {
  recommended: null,
  praised: null,
  criticized: null,
  discouraged: null,
  notFound: null,
};
const portrayal: Portrayal = {
  reader: {
    name: "rules",
    version: 3,
    language: [
      {
        language: "en",
        answers: 100,
        precision: unmeasured,
        recall: unmeasured,
        listOnly: ["discouraged"],
      },
    ],
    unread: 2,
  },
  recommended: rate,
  praised: none,
  criticized: none,
  discouraged: none,
  notFound: none,
};

const entity: Entity = {
  id: "dcc39a73-deb2-5142-a102-627d8d2a9653",
  name: "Acme\u001b[2J",
  mentions: rate,
  visibility: rate,
  citations: rate,
  rank: rate,
  shareOfVoice: rate,
  portrayal,
};

const reply: InsightsSummaryResponse = {
  groupBy: "none",
  groups: [
    {
      key: null,
      name: "All answers",
      answers: 400,
      prompts: 12,
      lastAnsweredAt: "2026-01-14T00:00:00.000Z",
      informative: rate,
      flags: [],
      entities: [entity],
    },
  ],
  tests: 0,
  empty: null,
};

test("shares with their intervals, and who read the answers", () => {
  const lines = portrayalTable(reply, { timeRange, compared: null, parts: false }, plain);
  assert.deepEqual(lines, [
    "How answers speak of the brand and each competitor",
    "2026-01-08 to before 2026-01-15 (UTC)",
    "",
    "All answers",
    "               read    recommended  praised  criticized  discouraged  not found",
    "Acme\\u{1b}[2J   100  25.0% (18–34)     0.0%        0.0%         0.0%       0.0%",
    "",
    "in brackets: the 95 % interval; fewer than 6 effective prompts have none",
    "read: answers that mention it in a language that is read; a share is of these",
    "read by rules 3, in en; 2 mentions in answers that were not read",
    "often wrong, read the answers instead: discouraged (en)",
  ]);
});

test("a record for each flag", () => {
  const records = [...portrayalRecords(reply)];
  assert.deepEqual(
    records.map(({ metric, numerator, denominator, languages, unread }) => [
      ...[metric, numerator, denominator],
      ...[languages, unread],
    ]),
    [
      ["recommended", 25, 100, "en", 2],
      ["praised", 0, 100, "en", 2],
      ["criticized", 0, 100, "en", 2],
      ["discouraged", 0, 100, "en", 2],
      ["notFound", 0, 100, "en", 2],
    ],
  );
});
