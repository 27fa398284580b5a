import assert from "node:assert/strict";
import { test } from "node:test";
import { crashCluster } from "./crash-cluster.ts";

/** The long form is tasks/crash cluster. */
test("kill -9 of nodes, shards, importers, PostgreSQL: nothing lost or doubled", async (t) => {
  const seen: string[] = [];
  const report = await crashCluster(t, {
    rounds: 2,
    seed: 7,
    answersEachRound: 500,
    onRound: (line) => seen.push(line),
  });
  t.diagnostic(JSON.stringify(report));
  const { lost, torn, doubled, kills } = report;
  assert.deepEqual({ lost, torn, doubled }, { lost: 0, torn: 0, doubled: 0 });
  assert.ok(
    Object.values(kills).some((count) => count > 0),
    seen.join("\n"),
  );
});
