import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { claimsResponseSchema, startedReadingSchema } from "@sightline/contract";
import { startStandIn } from "@sightline/stand-in";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const workspace = {
  account: "Acme",
  brand: "Acme",
  competitors: ["Globex"],
  prompts: ["A?"],
  facts: [{ aspect: "quality", value: "1 month" }],
};
const answers = ["Acme has a great battery.", "Globex is slow, and Acme costs less."];
const range = ["--from", "2026-01-01", "--to", "2026-02-01"];

/** A data folder with answers, and a stand-in of the reader. */
async function reading(t: TestContext, faults = {}) {
  const folder = temporaryFolder();
  const standIn = await startStandIn({ faults });
  t.after(async () => {
    await standIn.close();
    rmSync(folder, { recursive: true });
  });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(workspace));
  const lines = answers.map((text, index) => {
    const answeredAt = `2026-01-0${index + 1}T08:00:00Z`;
    return JSON.stringify({ prompt: "A?", provider: "OPENAI", answeredAt, text });
  });
  writeFileSync(join(folder, "answers.ndjson"), lines.join("\n"));
  const reader = {
    ...vendorEnvironment(standIn.url),
    SIGHTLINE_READER_URL: "https://reader.example/v1",
    SIGHTLINE_READER_MODEL: "reader-1",
    SIGHTLINE_READER_PRICE: "0.2/0.8",
  };
  const run = (words: readonly string[], environment: Readonly<Record<string, string>> = reader) =>
    runHosted(words, { folder, environment });
  assert.equal((await run(["apply", "workspace.json"])).status, 0);
  assert.equal((await run(["import", "answers.ndjson"])).status, 0);
  return { run, standIn };
}

test("--estimate asks nothing, portray reads, and --show says what was read", async (t) => {
  const { run, standIn } = await reading(t);
  const off = await run(["portray", "--estimate"], {});
  assert.equal(off.status, 1);
  assert.match(off.stderr, /Set SIGHTLINE_READER_URL and SIGHTLINE_READER_MODEL/);
  const estimate = await run(["portray", "--estimate", ...range]);
  assert.match(
    estimate.stdout,
    /^2 answers to read by reader-1, \d+ tokens\. Estimated at \$0\.\d/,
  );
  assert.deepEqual(standIn.bill().totals, {});
  const json = await run(["portray", "--estimate", "--json", ...range]);
  const { requests } = startedReadingSchema.parse(printedDocument(json));

  const read = await run(["portray", ...range]);
  assert.equal(read.status, 0, read.stderr);
  const gave = new RegExp(
    `\\n${requests} of ${requests} requests? gave a reading\\. \\$0\\.00\\d\\d was`,
  );
  assert.match(read.stdout, gave);
  assert.match(read.stdout, /\nRead by reader-1-2026-10-01, prompt 1: 2 answers, 3 findings, \$0/);
  assert.match(read.stdout, /\nDropped findings: none\.\n/);
  assert.equal(standIn.bill().totals.reader?.billed, requests);

  const shown = await run(["portray", "--show", "--json", ...range]);
  const { reader, entities } = claimsResponseSchema.parse(printedDocument(shown));
  assert.equal(reader?.answers, 2);
  assert.deepEqual(
    entities.map(({ name, praised, aspects }) => [name, praised.denominator, aspects.length > 0]),
    [
      ["Acme", 2, true],
      ["Globex", 1, true],
    ],
  );
  const quoted = await run(["portray", "--show", "--quotes", "globex", ...range]);
  assert.match(quoted.stdout, /\n[a-z ]+: "Globex [^"]+" \(OPENAI, 2026-01-02\)\n/);
  const nobody = await run(["portray", "--show", "--quotes", "Tarnfell", ...range]);
  assert.equal(nobody.status, 2);
  const again = await run(["portray", ...range]);
  assert.match(again.stdout, /^0 answers to read/);
  assert.equal(standIn.bill().totals.reader?.billed, requests, "nothing is read twice");
});

test("refused readings end with status 1 and their reason", async (t) => {
  const { run } = await reading(t, { rates: { refused: 1 } });
  const read = await run(["portray", ...range]);
  assert.equal(read.status, 1);
  assert.match(read.stdout, /\n0 of \d requests gave a reading\. .*\n\d failed: The model refuses/);
  assert.match(read.stdout, /\nNo answer of the range was read by a model\.\n$/);
  const both = await run(["portray", "--show", "--estimate"]);
  assert.equal(both.status, 2);
});
