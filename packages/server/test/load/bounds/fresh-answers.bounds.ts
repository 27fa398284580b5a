import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import { lagsDuringImport } from "@sightline/test-kit/lags-during-import.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { percentile } from "../load-plan.ts";

test("an answer counts within a second of its commit while others are imported", async (t) => {
  const lags = await lagsDuringImport(t, { answers: 60_000, singles: 5 });
  t.diagnostic(`counted after ${lags.map(Math.round).join(", ")} ms`);
  assert.ok(percentile(lags, 0.5) < 1_000);
});

test("a second server on the same data folder says so within a second", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const dataDir = join(folder, "data");
  const serving = await startServing(dataDir);
  t.after(() => stopped(serving));
  // What a command costs before it does anything is taken off.
  const startedAlone = performance.now();
  await runCommand(["keys", "list", "--data-dir", join(folder, "other")]);
  const started = performance.now();
  const { status } = await runCommand(["serve", "--data-dir", dataDir, "--port", "0"]);
  const ms = performance.now() - started - (started - startedAlone);
  t.diagnostic(`${Math.round(ms)} ms beyond its start`);
  assert.equal(status, 1);
  assert.ok(ms < 1_000);
});
