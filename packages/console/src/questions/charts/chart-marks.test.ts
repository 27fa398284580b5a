import assert from "node:assert/strict";
import { test } from "node:test";
import type { Provider } from "@sightline/client";
import { chartMarks, withNotes } from "./chart-marks.ts";

const startsOf = (...days: readonly string[]) =>
  days.map((day) => ({ startMs: Date.parse(`2026-${day}T00:00:00Z`) }));
const models = (day: string, ...providers: readonly Provider[]) => ({
  timestamp: `2026-${day}T00:00:00.000Z`,
  kind: "models" as const,
  providers: [...providers],
  added: 0,
  removed: 0,
});
const prompts = (day: string, added: number, removed: number) => ({
  ...models(day),
  kind: "prompts" as const,
  added,
  removed,
});

test("marks of weeks are those of the bucket that their Monday lies in, in words", () => {
  const marks = [
    models("01-12", "OPENAI", "GROK"),
    prompts("01-12", 12, 0),
    models("01-26", "OPENAI"),
    prompts("02-02", 1, 3),
  ];
  assert.deepEqual(chartMarks(marks, startsOf("01-05", "01-12", "01-19", "01-26", "02-02")), [
    { index: 1, texts: ["other models: ChatGPT, Grok", "12 prompts first answered"] },
    { index: 3, texts: ["other models: ChatGPT"] },
    { index: 4, texts: ["1 prompt first answered", "3 prompts no longer answered"] },
  ]);
  assert.deepEqual(chartMarks(marks, startsOf("01-01", "02-01")), [
    { index: 0, texts: ["other models: ChatGPT, Grok", "12 prompts first answered"] },
    { index: 1, texts: ["1 prompt first answered", "3 prompts no longer answered"] },
  ]);
  assert.deepEqual(chartMarks([models("01-05", "OPENAI")], startsOf("01-07", "01-08")), []);
});

test("notes are marks of the buckets that their days lie in, next to those of the reply", () => {
  const points = startsOf("01-05", "01-12").map((point) => ({ startMs: point.startMs, days: 7 }));
  const marks = [{ index: 1, texts: ["1 prompt first answered"] }];
  const notes = [
    { date: "2026-01-04", text: "before" },
    { date: "2026-01-11", text: "Sunday" },
    { date: "2026-01-12", text: "Monday" },
    { date: "2026-01-19", text: "after" },
  ];
  assert.deepEqual(withNotes(marks, notes, points), [
    { index: 1, texts: ["1 prompt first answered", "12 Jan: Monday"] },
    { index: 0, texts: ["11 Jan: Sunday"] },
  ]);
});

test("what marks more than a quarter of the weeks is not an event", () => {
  const weeks = startsOf("01-05", "01-12", "01-19", "01-26", "02-02", "02-09", "02-16", "02-23");
  const often = [prompts("01-12", 1, 0), prompts("01-26", 0, 1), prompts("02-09", 2, 0)];
  assert.deepEqual(chartMarks([...often, models("02-02", "GROK")], weeks), [
    { index: 4, texts: ["other models: Grok"] },
  ]);
  assert.equal(chartMarks(often.slice(1), weeks).length, 2);
});
