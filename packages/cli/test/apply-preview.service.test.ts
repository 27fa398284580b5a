import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const prompts = [{ text: "What is the best anvil?" }];
const brand = { name: "Acme", domains: ["acme.example"] };

test("apply --dry-run says how many answers other names and domains would find", async (t) => {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (name: string, content: object) =>
    writeFileSync(join(folder, name), JSON.stringify(content));
  const run = async (...words: readonly string[]) => {
    const { status, stdout, stderr } = await runHosted(words, { folder });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const account = "Acme";
  write("now.json", { account, brand, competitors: ["Globex"], prompts });
  assert.doesNotMatch(await run("apply", "now.json", "--dry-run"), /Names and domains/);
  await run("apply", "now.json");
  const answers = ["Acme.", "Acme Works.", "Globex and Acme.", "Works of others."].map(
    (text, sample) => ({
      prompt: "What is the best anvil?",
      provider: "GROK",
      answeredAt: "2026-10-01T08:00:00Z",
      sample,
      text,
      citations: [{ url: "https://acme.example/a" }],
    }),
  );
  const lines = answers.map((answer) => JSON.stringify(answer)).join("\n");
  writeFileSync(join(folder, "a.ndjson"), `${lines}\n`);
  await run("import", "a.ndjson");
  write("next.json", { account, brand: { name: "Acme", aliases: ["Works"] }, prompts });
  const dry = await run("apply", "next.json", "--dry-run");
  const [, ...said] = dry.slice(0, dry.indexOf("retired:")).trimEnd().split("\n");
  assert.deepEqual(said, [
    "Names and domains (all 4 recorded answers):",
    "  Acme: mentions +1 -0; citations +0 -4",
    "  Globex: mentions +0 -1; citations +0 -0",
  ]);
  const applied = await run("apply", "next.json", "--json");
  assert.equal("names" in JSON.parse(applied), false);
  const same = JSON.parse(await run("apply", "next.json", "--dry-run", "--json"));
  assert.deepEqual(same.names, { answers: 4, read: 0, isSample: false, entities: [] });
});
