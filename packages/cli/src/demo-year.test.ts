import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "@sightline/contract";
import { readWorkspaceFile } from "@sightline/server/workspace-file";
import {
  dayBefore,
  demoAnswers,
  demoAnswersTotal,
  demoWorkspaceText,
  firstDayOf,
  lastDayOf,
} from "./demo-year.ts";

interface Answer {
  readonly promptId: string;
  readonly answeredAt: string;
  readonly outcome: string;
  readonly text?: string;
}

async function yearOf(lastDay: string): Promise<readonly Answer[]> {
  const year: Answer[] = [];
  for await (const line of demoAnswers(lastDay)) year.push(JSON.parse(line.toString()) as Answer);
  return year;
}

const fileYear = await yearOf("2026-10-31");

test("a year is in time order, ends on its last day, and has the same answers", async () => {
  const [year, later] = [fileYear, await yearOf("2028-02-29")];
  assert.equal(year.length, demoAnswersTotal);
  for (const [of, first, last] of [
    [year, "2025-11-01", "2026-10-31"],
    [later, "2027-03-02", "2028-02-29"],
  ] as const) {
    const instants = of.map(({ answeredAt }) => answeredAt);
    assert.deepEqual([instants[0]?.slice(0, 10), instants.at(-1)?.slice(0, 10)], [first, last]);
    assert.deepEqual(instants.toSorted(), instants);
    assert.equal(firstDayOf(last), first);
    assert.equal(lastDayOf(Date.parse(first) + dayMs - 1), last);
  }
  const days = (Date.parse("2028-02-29") - Date.parse("2026-10-31")) / dayMs;
  const shifted = year.map((answer) => {
    const instant = new Date(Date.parse(answer.answeredAt) + days * dayMs);
    return { ...answer, answeredAt: `${instant.toISOString().slice(0, 19)}Z` };
  });
  assert.deepEqual(later, shifted);
  assert.equal(dayBefore(Date.parse("2026-03-01T23:59:59Z")), "2026-02-28");
});

test("every prompt has answers, and the launch is in the story", async () => {
  const { prompts } = readWorkspaceFile(demoWorkspaceText());
  assert.deepEqual(
    [...new Set(fileYear.map(({ promptId }) => promptId))].sort(),
    prompts.map(({ id }) => id).sort(),
  );
  const launched = fileYear.find(({ text }) => text?.includes("Skerry 2**, new this spring"));
  assert.equal(launched?.answeredAt.slice(0, 7), "2026-04");
});
