import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { openStorage } from "../../storage.ts";
import type { ImportTally } from "./import-answers.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};
const lines = 20_000;

test("three processes import one file concurrently: each answer is accepted once", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const [dataDir, file] = [join(folder, "data"), join(folder, "answers.ndjson")];
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  writeFileSync(file, Array.from({ length: lines }, (_, sample) => lineOf(sample)).join(""));
  const options = ["--data-dir", dataDir, "--json"];
  await runCommand(["apply", join(folder, "workspace.json"), ...options]);

  const results = await Promise.all(
    [1, 2, 3].map(() => runCommand(["import", file, "--account", accountId, ...options])),
  );

  assert.deepEqual(
    results.map(({ status, stderr }) => [status, stderr]),
    results.map(() => [0, ""]),
  );
  const tallies = results.map((result) => printedDocument<ImportTally>(result));
  const sum = (name: keyof ImportTally) => tallies.reduce((total, tally) => total + tally[name], 0);
  assert.deepEqual(
    { accepted: sum("accepted"), duplicates: sum("duplicates"), rejected: sum("rejected") },
    { accepted: lines, duplicates: 2 * lines, rejected: 0 },
  );
  const storage = await openStorage(dataDir);
  t.after(() => storage.close());
  const recorded = await storage.answers.read(accountId, { after: 0, limit: 2 * lines });
  const samples = recorded.map(({ sample }) => sample);
  assert.equal(samples.length, lines);
  assert.equal(new Set(samples).size, lines);
});

function lineOf(sample: number): string {
  const answeredAt = "2026-10-01T08:00:00Z";
  return `${JSON.stringify({ promptId, provider: "OPENAI", answeredAt, sample, text: "Acme." })}\n`;
}
