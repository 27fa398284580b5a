import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { progressOf } from "../src/accounts/progress-store.ts";
import { everyAnswer } from "../src/answers/answer-store.ts";
import { removeAnswers } from "../src/answers/corrections/corrections.ts";
import { openRecords } from "../src/answers/open-answer-store.ts";
import { systemClock } from "../src/platform/clock.ts";

/** A data folder with an account of 50 answers and their facts, which no service serves now. */
async function restingFolder(t: TestContext) {
  const dataDir = temporaryFolder();
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const service = await TestService.start({ dataDir });
  const accountId = await service.apply(corpusWorkspace);
  await service.import(accountId, corpusAnswers(50));
  await service.close();
  return { dataDir, accountId };
}

/** As a command does it: in another process, on the files alone. */
async function removeAll(dataDir: string, accountId: string): Promise<void> {
  const { store: answers, control } = await openRecords({ dataDir });
  try {
    assert.equal(
      await removeAnswers({ answers, control, clock: systemClock }, accountId, everyAnswer),
      50,
    );
  } finally {
    await answers.close();
    await control.close();
  }
}

/** Waits for the facts of which the service knew at its start that they lag behind. */
function isReady({ services: { projection } }: TestService): Promise<true> {
  return until("ready", () => (projection.notReady().length === 0 ? true : null));
}

async function firstReply(service: TestService, accountId: string): Promise<number> {
  const headers = { authorization: `Bearer ${await service.session(accountId)}` };
  const reply = await service.request("GET", "/v1/workspace", { headers });
  return reply.json<{ answers: { count: number } }>().answers.count;
}

test("what was removed before a start is in no reply after it", async (t) => {
  const { dataDir, accountId } = await restingFolder(t);
  await removeAll(dataDir, accountId);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await isReady(service);
  assert.equal(await firstReply(service, accountId), 0);
});

test("all that is removed of an account that nobody asked yet is in no reply", async (t) => {
  const { dataDir, accountId } = await restingFolder(t);
  const service = await TestService.start({ dataDir });
  t.after(() => service.close());
  await isReady(service);
  await removeAll(dataDir, accountId);
  await until("facts without them", async () => {
    const progress = await progressOf(service.services.control, accountId);
    return progress?.projected?.sequence === 0 ? true : null;
  });
  assert.equal(await firstReply(service, accountId), 0);
});
