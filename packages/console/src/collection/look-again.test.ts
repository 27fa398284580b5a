import assert from "node:assert/strict";
import { test } from "node:test";
import { lookAgainMs } from "./look-again.ts";

const at = "2026-10-30T08:00:00.000Z";
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
