import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { bearer, sessionOf } from "@sightline/test-kit/requests/session-of.ts";
import { sampleAnswers } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import {
  addAccount,
  assertDegraded,
  breakages,
  failing,
  failingFiles,
  folderOfTwo,
  healthy,
  mentionsOf,
  metricOf,
  readiness,
  rebuildsOf,
} from "@sightline/test-kit/two-accounts.ts";
import { until } from "@sightline/test-kit/until.ts";

/** Longer than the longest pause between two attempts. */
const retriedMs = 60_000;

async function started(t: TestContext, dataDir: string): Promise<TestService> {
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  return service;
}

function degradedBy(reason: string): object {
  return { status: "ready", degraded: [{ accountId: failing, reason }] };
}

/** Asserts that the account is tried again and recovers, and that nothing was set aside. */
async function assertRecovers(service: TestService, dataDir: string): Promise<void> {
  service.clock.advance(retriedMs);
  await service.settle(failing);
  assert.deepEqual(await readiness(service), { status: "ready" });
  assert.equal(await metricOf(service, "sightline_failing_accounts"), 0);
  assert.equal(await mentionsOf(service, failing), await mentionsOf(service, healthy));
  assert.deepEqual(await rebuildsOf(service), {});
  const names = readdirSync(failingFiles(dataDir).folder);
  assert.deepEqual(
    names.filter((name) => name.includes("damaged")),
    [],
  );
}

for (const [name, breakFile] of Object.entries(breakages)) {
  test(`an unreadable record fails its account alone, and its facts answer: ${name}`, async (t) => {
    const dataDir = await folderOfTwo(t);
    const { answers } = failingFiles(dataDir);
    const whole = `${answers}.whole`;
    copyFileSync(answers, whole);
    breakFile(answers);

    const service = await started(t, dataDir);
    await assertDegraded(service, "record_unreadable");
    assert.equal(await metricOf(service, "sightline_failing_accounts"), 1);
    const expected = await mentionsOf(service, healthy);
    assert.match(expected, /^200 /);
    assert.equal(await mentionsOf(service, failing), expected, "the facts answer");

    rmSync(answers, { recursive: true });
    renameSync(whole, answers);
    await assertRecovers(service, dataDir);
  });
}

test("while one record cannot be read, others' answers and new accounts count", async (t) => {
  const dataDir = await folderOfTwo(t);
  const service = await started(t, dataDir);
  await service.settle(failing);
  const before = await mentionsOf(service, failing);
  const { answers } = failingFiles(dataDir);
  renameSync(answers, `${answers}.whole`);
  symlinkSync(answers, answers); // to look at it fails, too

  const tally = await service.import(healthy, [{ ...sampleAnswers[0], sample: 1 }]);
  assert.equal(tally.accepted, 1);
  const fresh = "cccccccc-0000-4000-8000-000000000003";
  await addAccount(service, fresh);
  assert.equal(await mentionsOf(service, fresh), before);
  assert.notEqual(await mentionsOf(service, healthy), before);
  assert.equal(await mentionsOf(service, failing), before);
  assert.equal(await metricOf(service, "sightline_projection_lag_answers"), 0);
  service.clock.advance(10_000);
  await assertDegraded(service, "record_unreadable");

  rmSync(answers);
  renameSync(`${answers}.whole`, answers);
  await service.import(healthy, [{ ...sampleAnswers[0], sample: 2 }]);
  service.clock.advance(retriedMs);
  await service.settle(failing);
  assert.deepEqual(await readiness(service), { status: "ready" });
});

test("facts that another process has open are not damaged, and are used later", async (t) => {
  const dataDir = await folderOfTwo(t);
  const program = `
    const { DuckDBInstance } = require("@duckdb/node-api");
    DuckDBInstance.create(process.argv[1]).then(() => process.stdout.write("open"));
    process.stdin.on("end", () => process.exit()).resume();`;
  const other = spawn(process.execPath, ["-e", program, failingFiles(dataDir).facts], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => void other.kill());
  await once(other.stdout, "data");

  const service = await started(t, dataDir);
  await assertDegraded(service, "facts_unreadable");
  assert.match(await mentionsOf(service, healthy), /^200 /);
  assert.match(await mentionsOf(service, failing), /^503 .*facts_not_ready/);

  other.stdin.end();
  await once(other, "exit");
  await assertRecovers(service, dataDir);
});

test("a folder in the place of the facts is not damage: nothing is renamed", async (t) => {
  const dataDir = await folderOfTwo(t);
  const { facts } = failingFiles(dataDir);
  renameSync(facts, `${facts}.whole`);
  mkdirSync(facts);
  const service = await started(t, dataDir);
  await assertDegraded(service, "facts_unreadable");
  assert.match(await mentionsOf(service, healthy), /^200 /);
  rmSync(facts, { recursive: true });
  renameSync(`${facts}.whole`, facts);
  await assertRecovers(service, dataDir);
});

test("facts that the system forbids to read are not damaged; others are served", async (t) => {
  const dataDir = await folderOfTwo(t);
  const { folder, facts } = failingFiles(dataDir);
  chmodSync(facts, 0);
  // Root may read all but for these capabilities.
  const capabilities = ["--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all"];
  const through = process.getuid?.() === 0 ? ["setpriv", ...capabilities] : [];
  const serving = await startServing(dataDir, { through });
  t.after(() => stopped(serving));
  const token = await sessionOf(serving.url, dataDir, failing);
  await until("the account is degraded", async () => {
    const asked = await fetch(`${serving.url}/v1/workspace`, { headers: bearer(token) });
    assert.equal(asked.status, 503);
    const ready = await fetch(`${serving.url}/readyz`);
    const document = JSON.stringify(await ready.json());
    return document === JSON.stringify(degradedBy("facts_unreadable")) ? true : null;
  });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes("damaged")),
    [],
  );
  const { stderr } = await stopped(serving);
  const lines = stderr.split("\n").filter((line) => line.includes('"account fails"'));
  assert.equal(lines.length, 1, stderr);
  assert.match(lines[0] ?? "", /Permission denied/);
});
