import assert from "node:assert/strict";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { RejectedLines } from "../src/rejected-lines.ts";

/** Lines as an import hands them over: 50 commits of 4,000. */
const batch = Array.from({ length: 4_000 }, (_, index) => {
  return { line: index + 1, reason: "The line is bad.", errors: [], bytes: Buffer.from("bad") };
});
const batches = 50;

test("rejected lines are written together, not one by one", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const warnings: string[] = [];
  const warn = (message: string) => void warnings.push(message);
  const rejected = new RejectedLines({ file: join(folder, "a"), target: null, warn });
  const before = writes();
  for (let count = 0; count < batches; count++) await rejected.add(batch);
  await rejected.end();
  const made = writes() - before;
  const written = readFileSync(join(folder, "a.rejected"), "utf8").split("\n").length - 1;
  assert.deepEqual([written, warnings], [batches * batch.length, []]);
  // One by one would be 200,000; the runtime's threads wake each other by some 2,000.
  assert.ok(made < 10_000, `${made} writes for ${written} lines`);
});

test("--rejected - loses no line to a reader that is slower than the import", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const environment = { SIGHTLINE_DATA_DIR: join(folder, "data") };
  writeFileSync(join(folder, "workspace.json"), '{"account":"Acme","brand":"Acme"}');
  await runCommand(["apply", "workspace.json"], { folder, environment });
  // Far more than a pipe holds: it is full within the first of many writes.
  const count = 20_000;
  writeFileSync(join(folder, "a"), "bad\n".repeat(count));
  const parameters = ["import", "a", "--rejected", "-"];
  const { stdout, stderr } = await runCommand(parameters, { folder, environment });
  const lines = stdout.trimEnd().split("\n");
  assert.deepEqual([lines.length, JSON.parse(lines.at(-1) ?? "").line], [count, count]);
  assert.equal(stderr, `a: 0 accepted, 0 duplicates, ${count} rejected\n`);
});

/** Calls of write that this process made so far, as Linux counts them. */
function writes(): number {
  return Number(/^syscw: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}
