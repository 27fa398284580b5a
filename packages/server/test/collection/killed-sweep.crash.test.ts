import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { checkKilledSweep } from "./check-killed-sweep.ts";
import { killedSweep } from "./killed-sweep.ts";

/** The long form is tasks/crash sweep. */
test("kill -9 of stand-in, server and collector: each job paid once, none lost", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const prompts = 60;
  const sweep = await killedSweep({ folder, prompts, kills: 6, seed: 1 });
  const report = await checkKilledSweep(sweep, 4 * prompts);
  t.diagnostic(JSON.stringify({ ...report, kills: sweep.kills }));
  assert.ok(report.done > 0);
  assert.ok(
    Object.values(sweep.kills).some((kills) => kills > 0),
    "nothing was killed",
  );
});
