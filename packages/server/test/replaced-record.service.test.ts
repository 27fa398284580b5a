import assert from "node:assert/strict";
import { copyFileSync, cpSync, renameSync, rmSync, truncateSync } from "node:fs";
import { type TestContext, test } from "node:test";
import type { EvidenceResponse } from "@sightline/contract";
import { startServing, stopped } from "@sightline/test-kit/command.ts";
import { atProcessEnd } from "@sightline/test-kit/process-end.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { bearer, sessionOf } from "@sightline/test-kit/requests/session-of.ts";
import { sampleAnswers, sampleRange } from "@sightline/test-kit/sample-account.ts";
import { TestService } from "@sightline/test-kit/test-service.ts";
import {
  failing as accountId,
  failingFiles,
  folderOfTwo,
  healthy,
  mentionsOf,
  metricOf,
  rebuildsOf,
} from "@sightline/test-kit/two-accounts.ts";
import { until } from "@sightline/test-kit/until.ts";
import { openDataFolder } from "../src/platform/data-folder.ts";

/** Answers that mention nobody, each another one. */
function more(from: number, count: number): readonly object[] {
  return Array.from({ length: count }, (_, index) => {
    return { ...sampleAnswers[0], text: "Neither.", sample: from + index };
  });
}

async function withService(dataDir: string, work: (service: TestService) => Promise<unknown>) {
  const service = await TestService.start({ dataDir });
  try {
    await work(service);
  } finally {
    await service.close();
  }
}

let grown: string | null = null;

/** A data folder whose account has 40 answers in its facts, and an older copy of its record. */
async function grownFolder(t: TestContext) {
  const dataDir = await folderOfTwo(t);
  grown ??= await growFolder();
  cpSync(grown, dataDir, { recursive: true });
  const { answers, facts } = failingFiles(dataDir);
  return { dataDir, answers, facts, older: `${answers}.older` };
}

/** Made once, and copied for each test. */
async function growFolder(): Promise<string> {
  const dataDir = await folderOfTwo({ after: atProcessEnd });
  const { answers } = failingFiles(dataDir);
  copyFileSync(answers, `${answers}.older`);
  await withService(dataDir, (service) => service.import(accountId, more(100, 36)));
  return dataDir;
}

/**
 * Asserts that the facts were rebuilt from the record, that what is imported from now on counts,
 * and that they say the same as facts that are built from nothing.
 */
async function assertFollows(
  dataDir: string,
  rebuilds: Readonly<Record<string, number>> = { record: 1 },
): Promise<void> {
  let expected = "";
  await withService(dataDir, async (service) => {
    await service.settle(accountId);
    assert.deepEqual(await rebuildsOf(service), rebuilds);
    assert.equal(await metricOf(service, "sightline_projection_lag_answers"), 0);
    const before = await mentionsOf(service, accountId);
    await service.import(accountId, [{ ...sampleAnswers[0], sample: 7 }]);
    expected = await mentionsOf(service, accountId);
    assert.notEqual(expected, before);
    assert.match(await mentionsOf(service, healthy), /^200 /);
  });
  rmSync(openDataFolder(dataDir).account(accountId).facts);
  await withService(dataDir, async (service) => {
    await service.settle(accountId);
    assert.equal(await mentionsOf(service, accountId), expected);
  });
}

test("an older copy of a record: the facts are built anew, and imports count", async (t) => {
  const { dataDir, answers, older } = await grownFolder(t);
  renameSync(older, answers);
  await assertFollows(dataDir);
});

test("an older copy that has grown beyond the facts is another record", async (t) => {
  const { dataDir, answers, facts, older } = await grownFolder(t);
  const ofFacts = `${facts}.aside`;
  renameSync(facts, ofFacts);
  renameSync(older, answers);
  await withService(dataDir, (service) => service.import(accountId, more(500, 60)));
  renameSync(ofFacts, facts);
  await assertFollows(dataDir);
});

test("a record that was removed, or emptied, is a new one", async (t) => {
  const { dataDir, answers } = await grownFolder(t);
  rmSync(answers);
  await assertFollows(dataDir);
  truncateSync(answers);
  await assertFollows(dataDir);
});

test("facts that are dropped for another record are said aloud in the log", async (t) => {
  const { dataDir, answers } = await grownFolder(t);
  rmSync(answers);
  const serving = await startServing(dataDir, { parameters: ["--log-level", "warn"] });
  t.after(() => stopped(serving));
  const token = await sessionOf(serving.url, dataDir, accountId);
  await until("the facts are built anew", async () => {
    const asked = await fetch(`${serving.url}/v1/workspace`, { headers: bearer(token) });
    const { answers } = (await asked.json()) as { answers?: { count: number } };
    return answers?.count === 0 ? true : null;
  });
  const { stderr } = await stopped(serving);
  const [line = "", ...others] = stderr.trim().split("\n");
  assert.deepEqual(others, []);
  const { level, msg, watermark } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  assert.deepEqual([level, msg, watermark], [40, "the record is another one", 40]);
});

test("a record that was restored from a copy of itself is the same one", async (t) => {
  const { dataDir, answers } = await grownFolder(t);
  copyFileSync(answers, `${answers}.copy`);
  renameSync(`${answers}.copy`, answers);
  await assertFollows(dataDir, {});
});

test("a record that is replaced while it is served: what is imported into it counts", async (t) => {
  const { dataDir, answers, older } = await grownFolder(t);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await service.settle(accountId);
  const before = await mentionsOf(service, accountId);

  for (const end of ["-wal", "-shm"]) rmSync(`${answers}${end}`, { force: true });
  renameSync(older, answers);
  await service.settle(accountId);
  assert.deepEqual(await rebuildsOf(service), { record: 1 });
  assert.notEqual(await mentionsOf(service, accountId), before);
  assert.equal(await mentionsOf(service, accountId), await mentionsOf(service, healthy));

  await service.import(accountId, more(900, 5));
  assert.notEqual(await mentionsOf(service, accountId), await mentionsOf(service, healthy));
  assert.equal(await metricOf(service, "sightline_projection_lag_answers"), 0);
  assert.deepEqual(await rebuildsOf(service), { record: 1 });
});

test("evidence of a replaced record: not ready until the facts are of that one", async (t) => {
  const { dataDir, answers, older } = await grownFolder(t);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await service.settle(accountId);
  const token = await service.session(accountId);
  let asked = 0;
  const ask = () => {
    asked++; // another range each time: no reply comes from the cache
    const to = new Date(Date.parse(sampleRange.to) + asked).toISOString();
    const body = { filters: { timeRange: { ...sampleRange, to } }, role: "any" };
    return service.post("/v1/evidence", { token, body });
  };
  assert.equal((await ask()).json<EvidenceResponse>().total, 39);

  for (const end of ["-wal", "-shm"]) rmSync(`${answers}${end}`, { force: true });
  renameSync(older, answers);
  assertProblem(await ask(), "facts_not_ready");
  service.clock.advance(5_000); // records of accounts that are asked are looked at again
  const reply = await until("the facts are those of the record", async () => {
    const each = await ask();
    if (each.status === 200) return each.json<EvidenceResponse>();
    assertProblem(each, "facts_not_ready");
    return null;
  });
  assert.deepEqual([reply.total, reply.answers.length], [3, 3]);
});
