import assert from "node:assert/strict";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { printedDocument, runCommand } from "@sightline/test-kit/command.ts";
import { sampleAnswers, sampleWorkspace } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import {
  breakages,
  failing,
  failingFiles,
  folderOfTwo,
  healthy,
} from "@sightline/test-kit/two-accounts.ts";
import { diagnose } from "../src/operations/doctor/doctor.ts";
import { openDataFolder } from "../src/platform/data-folder.ts";

const record = `accounts/${failing}/answers.sqlite`;
const facts = `accounts/${failing}/facts.duckdb`;

/** The files that the doctor finds faulty, each with the beginning of its first fault. */
async function faultsOf(dataDir: string): Promise<readonly (readonly [string, string])[]> {
  const { ok, faults } = await diagnose(openDataFolder(dataDir));
  assert.equal(ok, faults.length === 0);
  return faults.map(({ file, fault }) => [file, fault.split(/[.,:]/)[0] ?? ""]);
}

/** Runs `backup` and asserts that it fails, names the record alone, and leaves no file. */
async function assertRefusesBackup(dataDir: string): Promise<void> {
  const folder = dirname(dataDir);
  const finished = await runCommand(["backup", "b.tar.zst", "--data-dir", dataDir, "--json"], {
    folder,
  });
  assert.equal(finished.status, 1, finished.stdout + finished.stderr);
  const { error } = printedDocument<{
    error: { message: string; details: { missing: readonly { file: string; reason: string }[] } };
  }>(finished);
  assert.deepEqual(
    error.details.missing.map(({ file }) => file),
    [record],
  );
  assert.ok(error.message.startsWith("No backup was written: it would lack files (1)."));
  assert.ok(error.message.includes(record), error.message);
  assert.deepEqual(readdirSync(folder), ["data"]);
}

const { "its first half": _, ...unreadable } = breakages;

for (const [name, breakFile] of Object.entries(unreadable)) {
  test(`backup and doctor fail when a record cannot be read: ${name}`, async (t) => {
    const dataDir = await folderOfTwo(t);
    breakFile(failingFiles(dataDir).answers);
    const [[file, fault] = []] = await faultsOf(dataDir);
    assert.equal(file, record, fault);
    await assertRefusesBackup(dataDir);
  });
}

test("backup and doctor fail when a record is gone from beside its facts", async (t) => {
  const dataDir = await folderOfTwo(t);
  rmSync(failingFiles(dataDir).answers);
  assert.deepEqual(await faultsOf(dataDir), [[record, "is missing"]]);
  await assertRefusesBackup(dataDir);
});

test("an account without imports has no files, and that is not a fault", async (t) => {
  const dataDir = await folderOfTwo(t);
  const service = await TestService.start({ dataDir });
  await service.apply({ ...sampleWorkspace, account: { id: accountOf(3), name: "New" } });
  await service.close();
  rmSync(join(dataDir, "accounts", accountOf(3)), { recursive: true, force: true });
  assert.deepEqual(await faultsOf(dataDir), []);
  const options = { folder: dirname(dataDir) };
  const { status } = await runCommand(["backup", "b.tar.zst", "--data-dir", dataDir], options);
  assert.equal(status, 0);
  assert.ok(statSync(join(dirname(dataDir), "b.tar.zst")).size > 0);
});

function accountOf(number: number): string {
  return `cccccccc-0000-4000-8000-00000000000${number}`;
}

test("backup and doctor fail when the whole folder of a record is gone", async (t) => {
  const dataDir = await folderOfTwo(t);
  rmSync(join(dataDir, "accounts", failing), { recursive: true });
  assert.deepEqual(await faultsOf(dataDir), [[record, "is missing"]]);
  await assertRefusesBackup(dataDir);
});

test("the doctor names folders of accounts that control does not know", async (t) => {
  const dataDir = await folderOfTwo(t);
  const accounts = join(dataDir, "accounts");
  cpSync(join(accounts, healthy), join(accounts, accountOf(9)), { recursive: true });
  mkdirSync(join(accounts, "lost+found"));
  assert.deepEqual(await faultsOf(dataDir), [
    [`accounts/${accountOf(9)}`, "control has no such account"],
    ["accounts/lost+found", "control has no such account"],
  ]);
});

test("the doctor names facts that are of another record than the one beside them", async (t) => {
  const dataDir = await folderOfTwo(t);
  const { answers } = failingFiles(dataDir);
  copyFileSync(answers, `${answers}.older`);
  const service = await TestService.start({ dataDir });
  await service.import(failing, [{ ...sampleAnswers[0], sample: 1 }]);
  await service.close();
  assert.deepEqual(await faultsOf(dataDir), []);
  renameSync(`${answers}.older`, answers);
  assert.deepEqual(await faultsOf(dataDir), [
    [facts, "is ahead of its record or belongs to another one"],
  ]);

  const again = await TestService.start({ dataDir });
  await again.settle(failing);
  await again.close();
  assert.deepEqual(await faultsOf(dataDir), []);
});
