import assert from "node:assert/strict";
import { copyFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { printedDocument } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { runHosted } from "./command-host.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const promptId = "11111111-1111-4111-8111-111111111111";
const workspace = {
  account: { id: accountId, name: "Acme" },
  brand: { name: "Acme" },
  prompts: [{ id: promptId, text: "What is the best anvil?" }],
};
const declared = { entities: 1, topics: 0, prompts: 1, keys: 1, usage: 0 };
const counts = { ...declared, answers: 2, labels: 0, readings: 0, spend: 0, sweeps: 0 };

/** A folder in which commands run; its data has an account with a key and two answers. */
async function folderWithAccount(t: TestContext) {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  const run = (command: string) => runHosted(command.split(" "), { folder });
  const done = async (command: string) => {
    const finished = await run(command);
    assert.equal(finished.status, 0, finished.stderr);
    return finished;
  };
  const lines = [0, 1].map((sample) => {
    const answeredAt = "2026-10-01T08:00:00Z";
    return JSON.stringify({ promptId, provider: "GROK", answeredAt, sample, text: "Acme." });
  });
  writeFileSync(join(folder, "workspace.yaml"), JSON.stringify(workspace));
  writeFileSync(join(folder, "answers.ndjson"), lines.join("\n"));
  await done("apply workspace.yaml");
  await done("import answers.ndjson");
  await done("keys create");
  return { folder, run, done };
}

test("export writes a file, import-account makes the account of it, with its keys", async (t) => {
  const { folder, run, done } = await folderWithAccount(t);
  const exported = await done(`export ${accountId} account.zst --json`);
  const document = { accountId, accountName: "Acme", counts };
  assert.deepEqual(printedDocument(exported), { file: "account.zst", ...document });
  assert.equal(statSync(join(folder, "account.zst")).mode & 0o777, 0o600);
  assert.deepEqual((await run(`export ${accountId} account.zst`)).status, 2);

  await done("keys list --data-dir other"); // makes the folder
  copyFileSync(join(folder, "data/pepper"), join(folder, "other/pepper"));
  const imported = await done("import-account account.zst --data-dir other --json");
  assert.deepEqual(printedDocument(imported), {
    ...document,
    resumed: false,
    keysLeftOut: 0,
    duplicates: 0,
  });
  const again = await run("import-account account.zst --data-dir other");
  assert.equal(again.status, 1);
  assert.match(
    again.stderr,
    /^sightline: The account \S+ exists already\. Nothing was changed\.$/m,
  );
});

test("another pepper: a warning, and no key; the texts for people", async (t) => {
  const { run, done } = await folderWithAccount(t);
  const exported = await done(`export ${accountId} account.zst`);
  assert.equal(exported.stdout, "account.zst: Acme, 2 answers, 1 key.\n");
  const imported = await done("import-account account.zst --data-dir other");
  assert.equal(imported.stdout, `${accountId}: Acme, 2 answers, 0 keys.\n`);
  assert.match(imported.stderr, /^sightline: warning: left out: 1 key, .* another pepper/);
  assert.equal((await run("import-account nothing.zst")).status, 2);
  assert.equal((await run("import-account workspace.yaml")).status, 1);
  assert.equal((await run("export unknown file.zst")).status, 2);
});
