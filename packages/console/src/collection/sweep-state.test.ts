import assert from "node:assert/strict";
import { test } from "node:test";
import { failedCountOf, sweepStateOf } from "./sweep-state.ts";

const at = "2026-10-30T08:00:00.000Z";

test("a sweep is named by how it ended, or that it has not", () => {
  const cases = [
    [{ endedAt: null, cancelledAt: null, done: 3, missing: 1 }, "under way", true],
    [{ endedAt: null, cancelledAt: at, done: 3, missing: 1 }, "being cancelled", true],
    [{ endedAt: at, cancelledAt: at, done: 3, missing: 1 }, "cancelled", false],
    [{ endedAt: at, cancelledAt: at, done: 4, missing: 0 }, "done", false],
    [{ endedAt: at, cancelledAt: null, done: 4, missing: 0 }, "done", false],
    [{ endedAt: at, cancelledAt: null, done: 3, missing: 1 }, "done in part", false],
    [{ endedAt: at, cancelledAt: null, done: 0, missing: 4 }, "given up", false],
  ] as const;
  for (const [sweep, text, isUnderWay] of cases) {
    const state = sweepStateOf({ ...sweep, parts: [] });
    assert.deepEqual([state.text, state.isUnderWay], [text, isUnderWay]);
  }
});

test("a cap is reached where each part that is open waits for it", () => {
  const sweep = { endedAt: null, cancelledAt: null, done: 3, missing: 1 };
  const of = (heldUntil: string | null, underWay = 0) => ({
    heldUntil,
    underWay,
    publishedAt: null,
    suspicious: [],
  });
  const done = { heldUntil: null, underWay: 0, publishedAt: at, suspicious: [] };
  const textOf = (...parts: readonly (typeof done | ReturnType<typeof of>)[]) =>
    sweepStateOf({ ...sweep, parts }).text;
  assert.equal(textOf(done, of(at)), "cap reached");
  assert.equal(textOf(of(at), of(null)), "under way");
  assert.equal(textOf(of(at, 1)), "under way");
});

test("questions of reasons that are not listed have failed as well", () => {
  assert.equal(failedCountOf({ jobs: 100, queued: 20, underWay: 5, done: 60 }), 15);
});
