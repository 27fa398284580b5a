import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { test } from "node:test";
import { duckdbFactsOf } from "@sightline/test-kit/engines/duckdb-facts-of.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { corpusAnswers, corpusWorkspace } from "@sightline/test-kit/sample-corpus.ts";
import { TestService, temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { everyAnswer } from "../../answers/answer-store.ts";
import { removeAnswers } from "../../answers/corrections/corrections.ts";
import { openRecords } from "../../answers/open-answer-store.ts";
import { systemClock } from "../../platform/clock.ts";
import { createMetrics } from "../../platform/metrics.ts";
import { AccountProjection } from "./account-projection.ts";
import { BatchReader } from "./batch-reader.ts";

/** More than a batch: the record is read a second time, however long the first took. */
const count = 8_100;

/** A data folder with an account of these answers, which no service serves now. */
async function recordedFolder() {
  const dataDir = temporaryFolder();
  const service = await TestService.start({ dataDir });
  const accountId = await service.apply(corpusWorkspace);
  await service.record(accountId, corpusAnswers(count));
  await service.close();
  return { dataDir, accountId };
}

for (const [kind, hadFacts] of [
  ["that are built whole", true],
  ["that grow before eyes", false],
] as const) {
  test(`an answer that is removed while facts are built ends no run: ${kind}`, async (t) => {
    const { dataDir, accountId } = await recordedFolder();
    const { store: answers, control } = await openRecords({ dataDir });
    const reader = new BatchReader({ dataDir });
    t.after(async () => {
      await Promise.all([reader.close(), answers.close(), control.close()]);
      rmSync(dataDir, { recursive: true, force: true });
    });
    const engine = duckdbFactsOf(t, [accountId]);
    let reads = 0;
    const correcting = { answers, control, clock: systemClock };
    const tools = {
      control,
      answers,
      engine,
      logger: recordedLog().logger,
      metrics: createMetrics(),
      reader: {
        read: async (...request: Parameters<BatchReader["read"]>) => {
          const isSecond = ++reads === 2;
          if (isSecond) await removeAnswers(correcting, accountId, everyAnswer);
          return reader.read(...request);
        },
      },
    };
    const task = {
      accountId,
      revision: 1,
      asksNames: false,
      hadFacts,
      isSuspect: false,
      comparedGeneration: null,
      signal: new AbortController().signal,
    };
    assert.equal(await new AccountProjection(tools, task).run(), "again");
    const state = await new AccountProjection(tools, { ...task, hadFacts: true }).run();
    assert.equal(state === "none" || state === "again" ? 0 : state.mark.sequence, 0);
    assert.notEqual(state, "again");
  });
}
