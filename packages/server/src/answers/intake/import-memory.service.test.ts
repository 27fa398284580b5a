import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import type { ImportTally } from "./import-answers.ts";

const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};
const answers = 45_000;
const text = "Take Acme. ".repeat(200);
/** Of the engine's memory, which holds what is read: less than two thirds of the file. */
const heapMegabytesMax = 64;

test("a file larger than the memory that the import may use is imported", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const [dataDir, file] = [join(folder, "data"), join(folder, "answers.ndjson")];
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  const line = { promptId, provider: "OPENAI", answeredAt: "2026-10-01T08:00:00Z", text };
  const lines = Array.from({ length: answers }, (_, sample) => JSON.stringify({ ...line, sample }));
  writeFileSync(file, lines.join("\n"));
  await runCommand(["apply", join(folder, "workspace.json"), "--data-dir", dataDir]);
  const environment = { NODE_OPTIONS: `--max-old-space-size=${heapMegabytesMax}` };
  const imported = await runCommand(["import", file, "--data-dir", dataDir, "--json"], {
    environment,
  });
  assert.equal(imported.status, 0, imported.stderr);
  const { accepted, duplicates, rejected } = printedDocument<ImportTally>(imported);
  assert.deepEqual(
    { accepted, duplicates, rejected },
    { accepted: answers, duplicates: 0, rejected: 0 },
  );
});
