import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeclaredReport } from "@sightline/client";
import { choicesWith, pageFileName, periodText, scheduleText, withReport } from "./report-rules.ts";

test("rules and schedules are said in words, also those that no form offers", () => {
  assert.deepEqual(["last-month", "last-28-days", "last-90-days"].map(periodText), [
    "Last month",
    "Last 28 days",
    "Last 90 days",
  ]);
  assert.deepEqual([undefined, "0 6 * * 1", "30 4 2 * *"].map(scheduleText), [
    "On request alone",
    "Mondays at 06:00 UTC",
    "30 4 2 * * (UTC)",
  ]);
  assert.deepEqual(choicesWith({ a: "A" }, "a"), [["a", "A"]]);
  assert.deepEqual(choicesWith({ a: "A" }, "b"), [
    ["a", "A"],
    ["b", "b"],
  ]);
});

test("a page is saved under a name that says what is in it", () => {
  const period = { startDate: "2026-10-01", endDate: "2026-10-31" };
  assert.equal(
    pageFileName("Ärzte & Co", "../Monthly: report", period),
    "ärzte-co-monthly-report-2026-10-01_2026-10-31.html",
  );
  assert.equal(pageFileName("", "/", period), "-2026-10-01_2026-10-31.html");
});

test("a changed report stays in its place, a new one comes last", () => {
  const report = (name: string): DeclaredReport => ({ name, period: "last-week" });
  const reports = ["A", "B"].map(report);
  const names = (list: readonly DeclaredReport[]) => list.map(({ name }) => name);
  assert.deepEqual(names(withReport(reports, report("C"), null)), ["A", "B", "C"]);
  assert.deepEqual(names(withReport(reports, report("C"), "A")), ["C", "B"]);
});
