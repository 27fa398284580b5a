import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Cadence, cadenceKey, dueSlots, nextSlotAt, plannedAt } from "./cadence.ts";

const berlin = { cron: "30 2 * * *", timeZone: "Europe/Berlin" };
const at = Date.parse;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** Polls at each `nextSlotAt`, between two instants. */
function slotsBetween(cadences: readonly Cadence[], from: string, to: string): readonly string[] {
  const slots: string[] = [];
  let planned = plannedAt(cadences, at(from));
  for (let now = nextSlotAt(cadences, at(from)); now !== null && now < at(to); ) {
    for (const { slot } of dueSlots(cadences, planned, now))
      slots.push(new Date(slot).toISOString());
    planned = plannedAt(cadences, now);
    now = nextSlotAt(cadences, now);
  }
  return slots;
}

test("a slot at 02:30 comes once on the days on which the clocks change", () => {
  assert.deepEqual(slotsBetween([berlin], "2026-03-27T12:00:00Z", "2026-03-31T00:00:00Z"), [
    "2026-03-28T01:30:00.000Z",
    // 02:30 does not exist: 02:00 becomes 03:00.
    "2026-03-29T01:00:00.000Z",
    "2026-03-30T00:30:00.000Z",
  ]);
  assert.deepEqual(slotsBetween([berlin], "2026-10-23T12:00:00Z", "2026-10-27T00:00:00Z"), [
    "2026-10-24T00:30:00.000Z",
    // 02:30 occurs twice: the first one counts, in summer time.
    "2026-10-25T00:30:00.000Z",
    "2026-10-26T01:30:00.000Z",
  ]);
});

test("an hourly slot comes every hour of a day of 23 and of 25 hours", () => {
  const hourly = [{ cron: "0 * * * *", timeZone: "Europe/Berlin" }];
  assert.equal(slotsBetween(hourly, "2026-03-28T22:59:59Z", "2026-03-29T22:00:00Z").length, 23);
  assert.equal(slotsBetween(hourly, "2026-10-24T21:59:59Z", "2026-10-25T23:00:00Z").length, 25);
});

test("of missed slots the newest is due, also at its very time, and never again", () => {
  const planned = plannedAt([berlin], at("2026-06-01T00:00:00Z"));
  const due = (now: string, to = planned) =>
    dueSlots([berlin], to, at(now)).map(({ slot }) => iso(slot));
  assert.deepEqual(due("2026-06-01T00:29:59.999Z"), []);
  assert.deepEqual(due("2026-06-01T00:30:00.000Z"), ["2026-06-01T00:30:00.000Z"]);
  assert.deepEqual(due("2026-06-09T12:00:00.000Z"), ["2026-06-09T00:30:00.000Z"]);
  const after = plannedAt([berlin], at("2026-06-09T12:00:00.000Z"));
  assert.deepEqual(due("2026-06-09T12:00:00.000Z", after), []);
  assert.deepEqual(due("2026-06-10T00:30:00.000Z", after), ["2026-06-10T00:30:00.000Z"]);
});

test("a cadence that was never planned begins now; those that are gone are forgotten", () => {
  const other = { cron: "0 6 * * 1", timeZone: "UTC" };
  const planned = plannedAt([berlin], at("2026-06-01T00:00:00Z"));
  const now = at("2026-06-03T00:00:00Z");
  assert.deepEqual(
    dueSlots([berlin, other, { ...berlin }], planned, now).map(({ cadence }) => cadence),
    [berlin],
  );
  assert.deepEqual(plannedAt([other, { ...other }], now), { [cadenceKey(other)]: now });
});

test("without a cadence, or with one that never comes, there is no next slot", () => {
  assert.equal(nextSlotAt([], 0), null);
  assert.equal(
    nextSlotAt([{ cron: "0 0 30 2 *", timeZone: "UTC" }], at("2026-01-01T00:00:00Z")),
    null,
  );
  assert.equal(
    iso(nextSlotAt([{ cron: "0 0 30 2 *", timeZone: "UTC" }, berlin], at("2026-06-01T00:30:00Z"))),
    "2026-06-02T00:30:00.000Z",
  );
});

test("slots are due exactly once, whenever they are polled", () => {
  const crons = ["*/7 * * * *", "30 2 * * *", "0 0 1 * *", "15,45 1-3 * * 0", "@hourly"];
  const zones = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"];
  const start = at("2026-03-01T00:00:00Z");
  fc.assert(
    fc.property(
      fc.record({ cron: fc.constantFrom(...crons), timeZone: fc.constantFrom(...zones) }),
      fc.array(fc.integer({ min: 0, max: 30 * 86_400_000 }), { minLength: 1, maxLength: 30 }),
      (cadence, offsets) => {
        let planned = plannedAt([cadence], start);
        let last = start;
        for (const offset of offsets.toSorted((a, b) => a - b)) {
          const now = start + offset;
          const [due] = dueSlots([cadence], planned, now);
          const next = nextSlotAt([cadence], last);
          // A slot is due exactly when the slot after the last poll has come.
          assert.equal(due !== undefined, next !== null && next <= now);
          if (due !== undefined) assert.ok(due.slot > last && due.slot <= now);
          planned = plannedAt([cadence], now);
          last = now;
        }
      },
    ),
    { numRuns: 100 },
  );
});
