import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { crashRounds } from "./crash-rounds.ts";

/** The long form is tasks/crash. */
test("kill -9 of import, serve and apply: nothing lost, torn or doubled", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const seen: string[] = [];
  const report = await crashRounds({
    folder,
    rounds: 4,
    seed: 1,
    answersEachRound: 6_000,
    onRound: (line) => seen.push(line),
  });
  t.diagnostic(JSON.stringify(report));
  assert.equal(seen.length, 5);
  assert.ok(report.recordedAmidCrashes > 0, "no import came as far as recording anything");
  const kills = Object.values(report.kills).reduce((sum, count) => sum + count, 0);
  assert.ok(kills > 0, "nothing was killed while it ran");
});
