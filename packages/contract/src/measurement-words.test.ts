import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeasurementFacts } from "./insights-facts.ts";
import { measurementSentences } from "./measurement-words.ts";

const facts: MeasurementFacts = {
  answers: 1_680,
  prompts: 30,
  answersPerPrompt: { least: 54, median: 56, most: 57 },
  providers: [
    { provider: "OPENAI", answers: 840 },
    { provider: "GEMINI", answers: 840 },
  ],
  regions: [
    { region: "US", answers: 1_600 },
    { region: null, answers: 80 },
  ],
  surfaces: [{ surface: "api", answers: 1_680 }],
  models: { distinct: 22, unknown: 3, named: [{ provider: "OPENAI", model: "one", answers: 840 }] },
  cadence: { days: 28, daysWithAnswers: 27, medianDaysBetween: 1 },
  retest: { pairs: 1_620, brandDiffers: 0.11, mentioningPairs: 1_580, entitiesDiffer: 0.24 },
  unanswered: {
    asked: 1_700,
    failed: { answers: 15, share: 15 / 1_700 },
    refused: { answers: 5, share: 5 / 1_700 },
    absent: { answers: 0, share: 0 },
  },
  versions: { extraction: "rules 4", suffixList: "tldts 7.4.9", unicode: "17.0" },
  pricesDate: "2026-11-25",
};

test("facts of a measurement in sentences", () => {
  assert.deepEqual(
    measurementSentences(facts, (provider) => provider.toLowerCase()),
    [
      "1,680 answers to 30 prompts, 54 to 57 a prompt (median 56).",
      "There are answers on 27 of 28 days; a prompt's next answer by the same provider in the " +
        "same region came after 1 day (median).",
      "Providers: openai 840, gemini 840. Regions: US 1,600, not recorded 80. Collected from: " +
        "API 1,680.",
      "Models: one 840, 21 more, not recorded 3.",
      "Repeatability: of 1,620 pairs of consecutive answers to the same prompt, 11.0% differ in " +
        "whether they mention the brand. The entities that they mention differ by 24.0% on " +
        "average.",
      "Excluded of 1,700 asked: 15 failed (0.9%), 5 refused (0.3%), 0 absent (0.0%).",
      "Read by extraction rules 4, the public suffix list of tldts 7.4.9 and Unicode 17.0; " +
        "prices of 2026-11-25.",
    ],
  );
});

test("what is not known is said", () => {
  const share = { answers: 0, share: null };
  const unknown: MeasurementFacts = {
    ...facts,
    retest: { pairs: 1, brandDiffers: null, mentioningPairs: 0, entitiesDiffer: null },
    unanswered: { asked: 1_680, failed: share, refused: share, absent: share },
  };
  assert.deepEqual(measurementSentences(unknown).slice(4, 6), [
    "Repeatability is not known: 1 pair of consecutive answers.",
    "Excluded: not known, since nothing but answers was ever recorded.",
  ]);
  const nothing: MeasurementFacts = {
    ...unknown,
    answers: 0,
    answersPerPrompt: null,
    unanswered: { asked: 0, failed: share, refused: share, absent: share },
    versions: null,
  };
  assert.deepEqual(measurementSentences(nothing), ["No answers."]);
});
