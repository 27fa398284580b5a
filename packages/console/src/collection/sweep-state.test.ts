import assert from "node:assert/strict";
import { test } from "node:test";
import { failedCountOf, lookAgainMs, sweepStateOf } from "./sweep-state.ts";

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

const now = Date.parse(at);
const sweep = { cancelledAt: null, missing: 0, done: 0, parts: [] };
const ended = { ...sweep, endedAt: at };
const open = { ...sweep, endedAt: null };
const part = { publishedAt: null, underWay: 0, heldUntil: null };
const heldBack = { ...open, parts: [{ ...part, suspicious: ["It cites nothing."] }] };

test("sweeps are looked at again while one is under way, and when the next one begins", () => {
  const inMs = (ms: number) => [{ at: new Date(now + ms).toISOString() }];
  const looks = [
    [{ collections: [ended, open], collectors: 1, next: inMs(60_000) }, 3_000],
    [{ collections: [open], collectors: 0, next: [] }, 15_000],
    [{ collections: [ended], collectors: 1, next: inMs(60_000) }, 63_000],
    [{ collections: [heldBack], collectors: 1, next: inMs(60_000) }, 63_000],
    [{ collections: [], collectors: 1, next: inMs(-1_000) }, 3_000],
    [{ collections: [], collectors: 1, next: inMs(90 * 86_400_000) }, 3_600_000],
    [{ collections: [ended], collectors: 0, next: inMs(60_000) }, false],
    [{ collections: [ended], collectors: 1, next: [] }, false],
  ] as const;
  for (const [looked, ms] of looks) assert.equal(lookAgainMs(looked, now), ms);
});
