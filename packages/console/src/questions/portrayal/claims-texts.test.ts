import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimsResponse } from "@sightline/client";
import { claimsFilters, costText, hasOtherFilters, modelSentences } from "./claims-texts.ts";

const reader: NonNullable<ClaimsResponse["reader"]> = {
  name: "model",
  id: "0123456789abcdef",
  model: "reader-1",
  models: [],
  promptVersion: 2,
  promptHash: "abc",
  parameters: {},
  firstReadAt: "2026-10-01T08:00:00Z",
  lastReadAt: "2026-10-03T08:00:00Z",
  dollars: 1.5,
  answers: 40,
  findings: 90,
  dropped: [
    { reason: "not_verbatim", findings: 3 },
    { reason: "elsewhere", findings: 1 },
  ],
  agreement: { answers: 2, pairs: 20, alpha: 0.5 },
};

test("a reader says its model, time, cost, what is unread, dropped, and its agreement", () => {
  assert.deepEqual(modelSentences(reader, 50), [
    "Read by reader-1, with version 2 of the question, from 1 Oct 2026 to 3 Oct 2026, for $1.50.",
    "40 of the 50 answers of the period were read. 10 unread: they name nobody, have no text, or " +
      "came after the reading.",
    "90 findings with a quote that stands in its answer. 4 were dropped: not verbatim 3, " +
      "elsewhere 1.",
    "Krippendorff's α of 2 answers that were read twice: 0.50. That is too little to conclude " +
      "anything from the shares.",
  ]);
  const agreement = { answers: 0, pairs: 0, alpha: null };
  const once = { ...reader, dropped: [], agreement, firstReadAt: reader.lastReadAt };
  assert.deepEqual(modelSentences({ ...once, models: ["reader-1-a", "b"], dollars: 0 }, null), [
    "Read by reader-1-a, b, with version 2 of the question, on 3 Oct 2026, for nothing.",
    "90 findings with a quote that stands in its answer. None was dropped.",
    "How far the model agrees with itself is not known yet.",
  ]);
});

test("an estimate says its sum, also a small and an unknown one", () => {
  const estimate = {
    id: null,
    reader: reader.id,
    model: "reader-1",
    answers: 1_200,
    alreadyRead: 0,
    nothingToRead: 0,
    requests: 1_260,
    inputTokens: 9,
    outputTokens: 9,
  };
  const texts = [2.345, 0.001, 0, null].map((dollars) => costText({ ...estimate, dollars }));
  assert.deepEqual(texts, [
    "1,200 answers, for $2.35",
    "1,200 answers, for less than $0.01",
    "1,200 answers, for nothing",
    "1,200 answers, at a price that is not known",
  ]);
});

test("claims are filtered by what readings know, and the rest is noticed", () => {
  const timeRange = { from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z" };
  const known = {
    timeRange,
    providers: ["GROK"],
    regions: [{ code: "FR" }],
    branded: true,
  } as const;
  assert.deepEqual(claimsFilters({ ...known, models: ["m"], tags: ["t"] }), known);
  assert.equal(hasOtherFilters(known), false);
  assert.equal(hasOtherFilters({ ...known, tags: ["t"] }), true);
  assert.equal(hasOtherFilters({ ...known, exclude: { providers: ["GROK"] } }), true);
});
