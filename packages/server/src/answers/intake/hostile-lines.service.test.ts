import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { lineBytesMax } from "./lines.ts";

const prompt = "What is the best anvil?";
const workspace = {
  account: { name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ text: prompt }],
};
const fields = { prompt, provider: "GROK", answeredAt: "2026-10-01T08:00:00Z", text: "Acme." };
/** What a command needs by itself, and 100 MB. */
const heapMegabytesMax = 150;

const begin = JSON.stringify(fields).slice(0, -1);
const filled = (unit: string) => unit.repeat(Math.floor((lineBytesMax - 500) / unit.length));
const many = (unit: (place: number) => string) =>
  Array.from({ length: 250_000 }, (_, place) => unit(place)).join(",");

/** Lines of about the longest allowed, each of which costs most in another way. */
const hostile: Readonly<Record<string, string>> = {
  brackets: filled("["),
  "nested objects": filled('{"a":'),
  integers: `${begin},"metadata":{"a":[${filled("1,")}1]}}`,
  objects: `${begin},"metadata":{"a":[${filled("{},")}1]}}`,
  arrays: `${begin},"metadata":{"a":[${filled("[],")}1]}}`,
  "deep metadata": `${begin},"metadata":${filled('{"a":')}`,
  "names of metadata": `${begin},"metadata":{${many((place) => `"k${place}":1`)}}}`,
  "unknown fields": `${begin},${many((place) => `"k${place}":1`)}}`,
  "citations of a wrong type": `${begin},"citations":[${filled('{"url":1},')}1]}`,
  citations: `${begin},"citations":[${filled('{"url":"u"},')}{"url":"u"}]}`,
  escapes: `{"a":"${filled("\\u0041")}"}`,
  "control characters": filled("\u0001"),
  "a long name": `${begin},"${filled("n")}":1}`,
  "a long number": `${begin},"metadata":{"a":${filled("1")}}}`,
  "a text that stays open": `${begin},"model":"${filled("x")}`,
};

test("hostile lines are refused within 100 MB, and the others are recorded", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const lines = [...Object.values(hostile), JSON.stringify(fields)];
  writeFileSync(join(folder, "a.ndjson"), lines.join("\n"));
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  await runCommand(["apply", "workspace.json"], { folder });
  const imported = await runCommand(["import", "a.ndjson", "--json"], {
    folder,
    environment: { NODE_OPTIONS: `--max-old-space-size=${heapMegabytesMax}` },
  });
  assert.equal(imported.status, 2, imported.stderr.slice(0, 2_000));
  const rejectedFile = "a.ndjson.rejected";
  const rejected = Object.keys(hostile).length;
  const counts = { accepted: 1, duplicates: 0, rejected, warnings: 0, rejectedFile };
  assert.deepEqual(printedDocument(imported), counts);
});
