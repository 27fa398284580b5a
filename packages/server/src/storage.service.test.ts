import assert from "node:assert/strict";
import { existsSync, rmSync, truncateSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { applyWorkspace } from "./accounts/apply-workspace.ts";
import { diagnose } from "./operations/doctor/doctor.ts";
import { systemClock } from "./platform/clock.ts";
import { openStorage, type Storage } from "./storage.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function using<Result>(
  dataDir: string,
  work: (storage: Storage) => Result | Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(dataDir);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/** An account with a folder, and a key of it. */
async function fill({ control, answers, keyRing }: Storage): Promise<void> {
  const empty = { entities: [], topics: [], prompts: [] };
  await applyWorkspace(
    control,
    accountId,
    { accountId, accountName: "Acme", ...empty },
    { now: systemClock.now() },
  );
  await answers.record(accountId, []);
  await keyRing.create(accountId, { name: "reports", expiresAt: null });
}

test("a lost pepper is not made anew where keys exist, and the doctor names it", async (t) => {
  const dataDir = folderOf(t);
  const { pepper } = await using(dataDir, ({ folder }) => folder);
  rmSync(pepper);
  const folder = await using(dataDir, (storage) => storage.folder);
  assert.ok(existsSync(pepper), "without keys it is made");
  await using(dataDir, fill);
  rmSync(pepper);
  await assert.rejects(
    openStorage(dataDir),
    new RegExp(`^Error: ${pepper} is missing, but keys exist \\(1\\), .* Put back the pepper`),
  );
  assert.ok(!existsSync(pepper));
  assert.deepEqual((await diagnose(folder)).faults, [
    { file: "pepper", fault: "is missing, but keys exist (1); put back the pepper of a backup" },
  ]);
});

test("control is not made anew beside a pepper, before any answer", async (t) => {
  const dataDir = folderOf(t);
  const { control, pepper } = await using(dataDir, ({ folder }) => folder);
  rmSync(control);
  await assert.rejects(
    openStorage(dataDir),
    new RegExp(`^Error: ${control} is missing, but ${pepper} is there, which is made after it`),
  );
});

for (const [what, lose] of [
  ["missing", (path: string) => rmSync(path)],
  ["empty", (path: string) => truncateSync(path)],
] as const) {
  test(`control is not made anew beside accounts: ${what}`, async (t) => {
    const dataDir = folderOf(t);
    const { control } = await using(dataDir, async (storage) => {
      await fill(storage);
      return storage.folder;
    });
    lose(control);
    await assert.rejects(
      openStorage(dataDir),
      new RegExp(
        `^Error: ${control} is ${what}, but .*accounts holds the answers of accounts \\(1`,
      ),
    );
  });
}
