import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  type AfterHook,
  sampleAnswers,
  sampleRange,
  sampleWorkspace,
  startSample,
} from "@sightline/test-kit/sample-account.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { backup } from "../src/operations/backup/backup.ts";
import { restore } from "../src/operations/backup/restore.ts";
import { RestoreError } from "../src/operations/backup/unpack.ts";
import { diagnose } from "../src/operations/doctor/doctor.ts";
import { openDataFolder } from "../src/platform/data-folder.ts";

const filters = { timeRange: sampleRange };
const questions = [
  ["/v1/analytics/brands/overall-visibility", { interval: "daily", filters }],
  ["/v1/analytics/brands/rank", { interval: "weekly", filters }],
  ["/v1/analytics/sources", { groupBy: "url", limit: 10, offset: 0, filters }],
] as const;

async function replies(service: TestService, token: string): Promise<readonly string[]> {
  const all = [];
  for (const [path, body] of questions) all.push((await service.post(path, { token, body })).body);
  const headers = { authorization: `Bearer ${token}` };
  all.push((await service.request("GET", "/v1/workspace", { headers })).body);
  return all;
}

function folderFor(t: AfterHook): string {
  const folder = temporaryFolder();
  t.after(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a running service's backup, restored, gives equal replies to the same key", async (t) => {
  const { service, accountId } = await startSample(t);
  const key = await service.key(accountId);
  const exchange = async (from: TestService) =>
    (await from.post("/v1/auth/accesskey/exchange", { token: key })).json<{ sessionJwt: string }>();
  const before = await replies(service, (await exchange(service)).sessionJwt);
  const place = folderFor(t);
  const file = join(place, "backup.tar.zst");
  const writing = service.import(accountId, [{ ...sampleAnswers[0], sample: 1 }]);
  await Promise.all([backup(service.services.folder, file, service.clock), writing]);

  const dataDir = join(place, "restored");
  const { files } = await restore(file, dataDir);
  assert.deepEqual(files.map(({ path }) => path).toSorted(), [
    `accounts/${accountId}/answers.sqlite`,
    "control.sqlite",
    "pepper",
  ]);
  const restored = await TestService.start({ dataDir, clock: service.clock });
  t.after(() => restored.close());
  await restored.settle(accountId);
  const after = await replies(restored, (await exchange(restored)).sessionJwt);
  const later = await replies(service, (await exchange(service)).sessionJwt);
  // The answer that was imported meanwhile is in the backup or is not; nothing is half.
  assert.ok(
    JSON.stringify(after) === JSON.stringify(before) ||
      JSON.stringify(after) === JSON.stringify(later),
  );
  const { ok } = await diagnose(openDataFolder(dataDir));
  assert.equal(ok, true);
});

test("a damaged backup is refused, and so is a folder with files; nothing is left", async (t) => {
  const { service } = await startSample(t);
  const place = folderFor(t);
  const file = join(place, "backup.tar.zst");
  await backup(service.services.folder, file, service.clock);
  const whole = readFileSync(file);
  const dataDir = join(place, "restored");
  const damages: Readonly<Record<string, Buffer>> = {
    cut: whole.subarray(0, whole.length - 20),
    empty: Buffer.alloc(0),
    garbage: Buffer.from("this is not a backup"),
    flipped: Buffer.from(whole.map((byte, at) => (at === whole.length >> 1 ? byte ^ 1 : byte))),
  };
  for (const [what, bytes] of Object.entries(damages)) {
    const damaged = join(place, what);
    writeFileSync(damaged, bytes);
    await assert.rejects(restore(damaged, dataDir), RestoreError, what);
    assert.equal(existsSync(dataDir), false, what);
  }
  await assert.rejects(restore(file, place), /is not empty/);
});

test("the doctor finds a flipped byte of what is stored, in each kind of file", async (t) => {
  const place = folderFor(t);
  const service = await TestService.start({ dataDir: place });
  const accountId = await service.apply(sampleWorkspace);
  await service.import(accountId, sampleAnswers);
  await service.services.keyRing.create(accountId, { name: "the key's name", expiresAt: null });
  await service.close();
  const folder = openDataFolder(place);
  assert.deepEqual((await diagnose(folder)).faults, []);

  const { answers, facts } = folder.account(accountId);
  const places: readonly (readonly [string, (bytes: Buffer) => number])[] = [
    [answers, (bytes) => bytes.indexOf("Take Globex")],
    [answers, (bytes) => bytes.indexOf("https://acme.com/a")],
    [answers, () => 30],
    [folder.control, () => 105],
    [folder.control, (bytes) => bytes.indexOf("Is Acme good at hosting?")],
    [folder.control, (bytes) => bytes.lastIndexOf("the key's name")],
    [folder.control, (bytes) => bytes.indexOf('"qi":"') + 20],
    [folder.pepper, () => 7],
    [facts, () => 4096 * 3 + 100],
  ];
  for (const [path, at] of places) {
    const whole = readFileSync(path);
    const bytes = Buffer.from(whole);
    bytes[at(whole)] = (bytes[at(whole)] ?? 0) ^ 0x04;
    writeFileSync(path, bytes);
    const { ok, faults } = await diagnose(folder);
    assert.equal(ok, false, `${path} at ${at(whole)}`);
    assert.ok(path.endsWith(faults[0]?.file ?? "nothing"));
    writeFileSync(path, whole);
  }
  assert.equal((await diagnose(folder)).ok, true);
});

test("while a server runs the facts are left to it, and that is said", async (t) => {
  const { service } = await startSample(t);
  const { ok, skipped } = await diagnose(service.services.folder);
  assert.equal(ok, true);
  assert.match(skipped[0]?.fault ?? "", /a server is running/);
});
