import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { checkKilledSweep } from "../collection/check-killed-sweep.ts";
import { killedClusterSweep } from "./killed-cluster-sweep.ts";

/** The long form is tasks/crash cluster-sweep. */
test("kill -9 of nodes, shards, PostgreSQL, stand-in: each job paid once, none lost", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const prompts = 20;
  // Leases of what PostgreSQL and a node leave last for 20 s: with this seed they are killed first.
  const victims = ["node 0", "postgres", "shard 0", "shard 1", "stand-in"] as const;
  const kills = victims.length;
  const sweep = await killedClusterSweep(t, { folder, prompts, kills, victims, seed: 243 });
  const report = await checkKilledSweep(sweep, 4 * prompts);
  t.diagnostic(JSON.stringify({ ...report, kills: sweep.kills }));
  assert.ok(report.done > 0);
  const killed = Object.values(sweep.kills).reduce((sum, each) => sum + each, 0);
  assert.ok(killed >= 3, `${killed} were killed`);
});
