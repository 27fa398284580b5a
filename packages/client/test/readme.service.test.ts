import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { startSample } from "@sightline/test-kit/sample-account.ts";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const sourceUrl = new URL("../src/index.ts", import.meta.url).href;

/** The README's snippets as one program: each goes on where the one before it ended. */
function program(baseUrl: string): string {
  const snippets = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text);
  return snippets
    .join("\n")
    .replaceAll('"@sightline/client"', JSON.stringify(sourceUrl))
    .replaceAll('"http://127.0.0.1:8080"', JSON.stringify(baseUrl));
}

test("the README's snippets run, one after the other, and print what they should", async (t) => {
  const { service, accountId } = await startSample(t);
  const baseUrl = await service.listen();
  const folder = mkdtempSync(join(tmpdir(), "sightline-readme-"));
  t.after(async () => rmSync(folder, { recursive: true }));
  const file = join(folder, "snippets.ts");
  writeFileSync(file, program(baseUrl));
  const printed: string[] = [];
  t.mock.method(console, "log", (...words: unknown[]) => printed.push(words.join(" ")));
  process.env["SIGHTLINE_KEY"] = await service.key(accountId, ["read", "import"]);
  try {
    await import(pathToFileURL(file).href);
  } finally {
    delete process.env["SIGHTLINE_KEY"];
  }

  assert.deepEqual(printed, [
    "Acme 0.6666666666666666",
    "Globex 0.3333333333333333",
    "Initech 0",
    "-1 of which like for like -1",
    "OPENAI -0.75 1/1 0",
    "GROK -0.25 1/1 0",
    "3 domains",
    "example.org 3",
    "acme.com 1",
    "globex.com 1",
    "Acme",
    "Globex, Acme, Globex",
    "2 answers mention the brand",
    "1 recorded",
    "3 series",
    "/filters/timeRange wrong_order",
    "The page was left.",
  ]);
});
