import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const accountId = randomUUID();
const workspace = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme" },
  competitors: [{ name: "Globex" }],
  prompts: [{ text: "Which anvil?" }, { text: "Which hammer?" }],
};

/** A folder with twenty answers, every second of which names Acme, in which commands run. */
async function folderWithAnswers(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  writeFileSync(join(folder, "acme.json"), JSON.stringify(workspace));
  const answers = Array.from({ length: 20 }, (_, place) => ({
    id: randomUUID(),
    prompt: place % 3 === 0 ? "Which anvil?" : "Which hammer?",
    provider: "OPENAI",
    answeredAt: new Date(Date.UTC(2026, 0, 1 + place)).toISOString(),
    text: place % 2 === 0 ? "Take Acme,\nsays 'everybody'." : "=Globex is in the list of the year.",
  }));
  const lines = answers.map((answer) => `${JSON.stringify(answer)}\n`).join("");
  writeFileSync(join(folder, "answers.ndjson"), lines);
  assert.equal((await run("apply acme.json")).status, 0);
  assert.equal((await run("import answers.ndjson")).status, 0);
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  return { folder, run, answers, read };
}

test("answers are drawn, labelled in the file, imported, exported and removed", async (t) => {
  const { folder, run, read, answers } = await folderWithAnswers(t);
  const drawn = await run("labels sample 8 sample.csv --labeller ann");
  assert.equal(drawn.status, 0, drawn.stderr);
  assert.match(drawn.stdout, /^sample.csv: 8 answers\. Write yes or no/);
  const [header, ...records] = read("sample.csv").trimEnd().split("\r\n");
  assert.match(
    header ?? "",
    /^"answerId","entityId","metric","value","labeller","entity","prompt"/,
  );
  assert.equal(records.length, 8);
  const same = await run("labels sample 8 --labeller ann");
  assert.equal(same.stdout, read("sample.csv"));
  const more = await run("labels sample 12 --labeller ann");
  assert.ok(records.every((record) => more.stdout.includes(record)));
  const other = await run("labels sample 8 --labeller ann --seed 2 --entity globex");
  assert.notEqual(other.stdout, same.stdout);
  const days = await run("labels sample 20 --labeller ann --from 2026-01-03 --to 2026-01-05");
  assert.equal(days.stdout.trimEnd().split("\r\n").length, 3);
  const said = await run("labels sample 20 --labeller ann --metric praised --entity globex");
  const ofGlobex = answers.filter(({ text }) => text.includes("Globex"));
  assert.equal(said.stdout.trimEnd().split("\r\n").length - 1, Math.min(20, ofGlobex.length));

  // As a spreadsheet saves it, without one value.
  const filled = records.map((record, place) =>
    place === 0 ? record : record.replace('"mentions","",', '"mentions",yes,'),
  );
  writeFileSync(join(folder, "filled.csv"), [header, ...filled, ""].join("\r\n"));
  const imported = await run("labels import filled.csv");
  assert.equal(imported.stdout, "filled.csv: 7 accepted, 0 duplicates, 0 rejected\n");
  assert.match((await run("labels import filled.csv")).stdout, /0 accepted, 7 duplicates/);
  const exported = await run("labels export labels.ndjson");
  assert.equal(exported.stdout, "labels.ndjson: 7 labels.\n");
  const lines = read("labels.ndjson")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { answerId: string; labeller: string; value: boolean });
  const ids = new Set<string>(answers.map(({ id }) => id));
  assert.ok(
    lines.every((label) => ids.has(label.answerId) && label.value && label.labeller === "ann"),
  );
  const removed = await run("labels delete --labeller ann");
  assert.equal(removed.stdout, "7 labels removed.\n");
  assert.match((await run("labels import labels.ndjson")).stdout, /7 accepted/);
  writeFileSync(
    join(folder, "bad.ndjson"),
    `${JSON.stringify({ ...lines[0], entityId: accountId })}\n`,
  );
  const bad = await run("labels import bad.ndjson");
  assert.equal(bad.status, 2);
  assert.match(bad.stderr, /bad.ndjson:1: \/entityId: must be the id of the brand or a competitor/);
});

test("what a command of labels refuses", async (t) => {
  const { run } = await folderWithAnswers(t);
  for (const [command, fault] of [
    ["labels sample 0 --labeller ann", /The count must be from 1 to 5000, got 0/],
    ["labels sample 8", /--labeller/],
    ["labels sample 8 --labeller ann --entity nobody", /nobody/],
    ["labels sample 8 acme.json --labeller ann", /acme.json exists already/],
    ["labels export acme.json", /acme.json exists already/],
    ["labels export --json", /both use standard output/],
    ["labels delete", /Give --labeller, --answer, or both/],
  ] as const) {
    const { status, stderr } = await run(command);
    assert.equal(status, 2, command);
    assert.match(stderr, fault);
  }
});

test("a sample of a service is what its folder gives, drawn by prompt", async (t) => {
  const { folder, run, answers, read } = await folderWithAnswers(t);
  const local = await run("labels sample 10 --labeller ann --seed 4");
  const service = await TestService.start();
  t.after(() => service.close());
  await service.apply(workspace);
  await service.import(accountId, answers);
  writeFileSync(join(folder, "read.key"), await service.key(accountId));
  const url = await service.listen();
  const served = await run(
    `labels sample 10 drawn.csv --labeller ann --seed 4 --url ${url} --key-file read.key`,
  );
  assert.equal(served.stdout.split(".csv")[0], "drawn", served.stderr);
  assert.equal(read("drawn.csv"), local.stdout);
  const ofAnvil = local.stdout.split('"Which anvil?"').length - 1;
  assert.equal(ofAnvil, 5, "half of the answers, though a third are to this prompt");
});
