import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSourcesResponse } from "@sightline/client";
import { gapTable } from "./gap-table.ts";

const plain = { width: 110, colour: false, isTerminal: true };
const timeRange = { from: "2026-01-01T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" };

test("whose each source is, in the order of the reply", () => {
  const source = {
    citations: 40,
    share: 0.2,
    entityId: null,
    withBrand: 1_300,
    withBrandOnly: 3,
    class: "thirdParty" as const,
    sourceClass: "editorial" as const,
    form: null,
    firstCitedAt: "2026-01-01T00:00:00.000Z",
    lastCitedAt: "2026-01-02T00:00:00.000Z",
  };
  const reply: InsightsSourcesResponse = {
    groupBy: "domain",
    sources: [
      {
        ...source,
        source: "news.example\u001b[2J",
        answers: 1_309,
        withCompetitorOnly: 9,
        opportunity: 0.00463,
      },
      {
        ...source,
        source: "acme.example",
        class: "own",
        answers: 1_300,
        withCompetitorOnly: 0,
        opportunity: 0,
      },
    ],
    pagination: { total: 2_000, limit: 2, offset: 0, hasMore: true },
    tests: 0,
    empty: null,
  };
  assert.deepEqual(gapTable(reply, { timeRange, compared: null, parts: false }, plain), [
    "Gaps: who is visible where domains are cited",
    "answers; 2026-01-01 to before 2026-02-01 (UTC)",
    "",
    "source                 whose        class      answers  with you  you alone  without you  " +
      "opportunity",
    "news.example\\u{1b}[2J  third party  editorial    1,309     1,300          3            9  " +
      "      0.46%",
    "acme.example           yours        editorial    1,300     1,300          3            0  " +
      "      0.00%",
    "",
    "2 of 2,000 domains; without you: a competitor is visible and you are not",
    "opportunity: about which share of all answers that is; careful where prompts are few",
  ]);
});
