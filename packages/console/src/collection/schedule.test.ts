import assert from "node:assert/strict";
import { test } from "node:test";
import { cronOf, everyDay, scheduleOf, scheduleText, timesAMonth } from "./schedule.ts";

test("a form says a time on days of the week, and the file says the rest", () => {
  assert.deepEqual(scheduleOf(undefined), { kind: "none" });
  assert.deepEqual(scheduleOf("0 6 * * *"), { kind: "weekly", days: everyDay, time: "06:00" });
  assert.deepEqual(scheduleOf("5 14 * * MON-FRI"), {
    kind: "weekly",
    days: [1, 2, 3, 4, 5],
    time: "14:05",
  });
  assert.deepEqual(scheduleOf("0 0 * * 7,1"), { kind: "weekly", days: [0, 1], time: "00:00" });
  const others = ["0 6 1 * *", "*/5 6 * * *", "0 6 * * 1#2", "0 6 * * 5-1", "0 25 * * *", "@daily"];
  for (const cron of others) assert.deepEqual(scheduleOf(cron), { kind: "file", cron });
});

test("a schedule that is written and read is the same", () => {
  for (const cron of ["0 6 * * *", "5 14 * * 1,2,3,4,5", "59 23 * * 0", "0 6 1 * *", undefined]) {
    assert.equal(cronOf(scheduleOf(cron)), cron);
  }
  assert.equal(cronOf({ kind: "weekly", days: [], time: "06:00" }), undefined);
});

test("times a month are those of 30 days", () => {
  assert.equal(timesAMonth(scheduleOf("0 6 * * *")), 30);
  assert.equal(timesAMonth({ kind: "none" }), 0);
  assert.equal(timesAMonth(scheduleOf("0 6 1 * *")), null);
});

test("a schedule is said in words, Monday first", () => {
  assert.equal(scheduleText(scheduleOf("0 6 * * *")), "Every day at 06:00");
  assert.equal(scheduleText(scheduleOf("5 14 * * 0,1")), "On Mondays, Sundays at 14:05");
  assert.equal(scheduleText({ kind: "none" }), "Only when asked to");
});
