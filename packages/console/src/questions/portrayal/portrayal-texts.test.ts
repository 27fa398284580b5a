import assert from "node:assert/strict";
import { test } from "node:test";
import type { InsightsSummaryResponse } from "@sightline/client";
import {
  accuracySentences,
  listedFlags,
  nothingSaid,
  readerSentences,
  shareDefinition,
} from "./portrayal-texts.ts";

type Entity = InsightsSummaryResponse["groups"][number]["entities"][number];
type Language = NonNullable<Entity["portrayal"]>["reader"]["language"][number];

const accuracy = { recommended: 0.9, praised: 0.8, criticized: 0.75, notFound: null };

function languageOf(language: string, answers: number, listOnly: Language["listOnly"]): Language {
  const measured = { ...accuracy, discouraged: 0.5 };
  return { language, answers, precision: measured, recall: measured, listOnly };
}

/** An entity of a summary, as far as the texts read it. */
function entityOf(mentions: number, language: Language[], unread: number) {
  const denominator = language.reduce((sum, { answers }) => sum + answers, 0);
  const reader = { name: "rules" as const, version: 6, language, unread };
  return {
    name: "Acme",
    mentions: { numerator: mentions },
    portrayal: { reader, recommended: { denominator } },
  };
}

test("the reader is told by version, languages, what it left, and where it errs", () => {
  const { portrayal } = entityOf(
    13,
    [languageOf("en", 10, ["discouraged"]), languageOf("ja", 2, [])],
    1,
  );
  assert.deepEqual(readerSentences("Acme", portrayal.reader), [
    "The answers were read by rules, version 6: tables of words for each language, without a " +
      "model.",
    "Languages of the answers that mention Acme and were read: English (10 answers), Japanese " +
      "(2 answers).",
    "1 answer that mentions Acme was not read: no table reads the language, or the text was " +
      "removed. No share counts them.",
    "In English the reader is often wrong (F1 below 0.7) about: Advised against. Read the " +
      "answers, not the number.",
  ]);
  assert.deepEqual(accuracySentences("notFound", portrayal.reader.language.slice(0, 1)), [
    "Not found, in English: not measured.",
  ]);
  const [praised] = accuracySentences("praised", portrayal.reader.language);
  assert.match(praised ?? "", /^Praised, in English: 80\s?% of what it finds is right/);
  assert.match(shareDefinition("praised"), /states an advantage/);
});

test("a flag is a list where a tenth of the answers are in languages in which it errs", () => {
  const few = entityOf(100, [languageOf("en", 91, []), languageOf("ja", 9, ["praised"])], 0);
  assert.deepEqual(listedFlags([few]), []);
  const many = entityOf(100, [languageOf("en", 90, []), languageOf("ja", 10, ["praised"])], 0);
  assert.deepEqual(listedFlags([many]), ["praised"]);
  assert.deepEqual(listedFlags([]), []);
});

test("nothing is said for a reason: no mention, nothing read, counts of before", () => {
  const read = [languageOf("en", 1, [])];
  const { portrayal: _, ...older } = entityOf(3, read, 0);
  assert.deepEqual(
    [entityOf(0, [], 0), entityOf(3, [], 3), older, entityOf(3, read, 2)].map((entity) => {
      return nothingSaid(entity)?.title ?? null;
    }),
    ["No answer mentions Acme", "No answer could be read", "Not read yet", null],
  );
});
