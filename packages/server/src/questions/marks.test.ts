import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@sightline/contract";
import { providerCode } from "../facts/codes.ts";
import { dayMs, mondayOf, weekOf } from "../facts/plan/buckets.ts";
import { marksOf } from "./marks.ts";

/** Weeks of 2026 from Monday, 5 January. */
const first = weekOf(Date.parse("2026-01-05T00:00:00Z") / dayMs);
const startMs = (week: number) => mondayOf(first + week) * dayMs;
/** Four whole weeks. */
const within = { fromMs: startMs(0), toMs: startMs(4), lastMs: startMs(4) - 1 };

const origin = (provider: Provider, week: number, model: number, answers: number) => {
  return { provider: providerCode(provider), model, surface: 0, week: first + week, answers };
};
const models = (origins: readonly ReturnType<typeof origin>[]) =>
  marksOf({ origins, prompts: [] }, within).map((mark) => [
    mark.timestamp.slice(0, 10),
    mark.kind,
    mark.providers,
  ]);
const asked = (prompt: number, ...weeks: readonly number[]) =>
  weeks.map((week) => ({ prompt, week: first + week }));
const prompts = (rows: readonly ReturnType<typeof asked>[number][], range = within) =>
  marksOf({ origins: [], prompts: rows }, range).map((mark) => [
    ...[mark.timestamp.slice(0, 10), mark.kind, mark.added, mark.removed],
  ]);

test("a provider is marked where a fifth of its answers come from another model", () => {
  const half = [origin("OPENAI", 0, 1, 10), origin("OPENAI", 1, 1, 8), origin("OPENAI", 1, 2, 2)];
  assert.deepEqual(models(half), [["2026-01-12", "models", ["OPENAI"]]]);
  const less = [origin("OPENAI", 0, 1, 10), origin("OPENAI", 1, 1, 9), origin("OPENAI", 1, 2, 1)];
  assert.deepEqual(models(less), []);
  const surfaces = [0, 1].map((week) => ({ ...origin("GROK", week, 0, 4), surface: week + 1 }));
  assert.deepEqual(models([...surfaces, ...half]), [["2026-01-12", "models", ["OPENAI", "GROK"]]]);
});

test("weeks without answers, or without a known model, are looked past", () => {
  const origins = [
    origin("GEMINI", 0, 1, 5),
    origin("GEMINI", 1, 0, 5), // not known
    origin("GEMINI", 3, 2, 5),
  ];
  assert.deepEqual(models(origins), [["2026-01-26", "models", ["GEMINI"]]]);
  assert.deepEqual(models([origin("GEMINI", 0, 0, 5), origin("GEMINI", 1, 2, 5)]), []);
});

test("prompts are marked where they are answered for the first time, or no more", () => {
  const rows = [
    ...asked(1, 0, 1, 2, 3),
    ...asked(2, 0, 1),
    ...asked(3, 2, 3),
    ...asked(4, 0, 2, 3),
  ];
  assert.deepEqual(prompts(rows), [["2026-01-19", "prompts", 1, 1]]);
  assert.deepEqual(prompts([]), []);
});

test("weeks that the range or the last answer cuts mark no prompt as missing", () => {
  const rows = [...asked(1, 0, 1, 2, 3), ...asked(2, 1, 2), ...asked(3, 3)];
  assert.deepEqual(prompts(rows), [
    ["2026-01-12", "prompts", 1, 0],
    ["2026-01-26", "prompts", 1, 1],
  ]);
  // From Wednesday on: what the second week has first may have been asked on Monday.
  const cut = { ...within, fromMs: startMs(0) + 2 * dayMs };
  assert.deepEqual(prompts(rows, cut), [["2026-01-26", "prompts", 1, 1]]);
  // The last answer is of Tuesday: the second prompt may still be asked on Friday.
  assert.deepEqual(prompts(rows, { ...within, lastMs: startMs(3) + dayMs }), [
    ["2026-01-12", "prompts", 1, 0],
    ["2026-01-26", "prompts", 1, 0],
  ]);
});
