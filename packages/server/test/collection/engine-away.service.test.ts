import assert from "node:assert/strict";
import { test } from "node:test";
import {
  billedBy,
  collectionOf,
  ledgerOf,
  startCollecting,
  sumsOf,
  sweepToEnd,
} from "@sightline/test-kit/collection/collecting.ts";
import { planSweepOf } from "@sightline/test-kit/collection/plan-sweep-of.ts";
import { ClickhouseError } from "../../src/platform/clickhouse/clickhouse-error.ts";

const workspace = {
  account: { name: "Kept" },
  brand: { name: "Acme" },
  prompts: ["Which seeds are best?", "Who sells good tools?", "What do gardeners use?"],
  collection: { providers: ["GROK", "COPILOT"] },
};

test("replies that an engine cannot keep for a moment are kept when it is back", async (t) => {
  const collecting = await startCollecting(t, { workspace });
  const { service, clock, standIn, accountId } = collecting;
  const { control, answers, secretBox } = service.services;
  const backAt = clock.now() + 60_000;
  let refused = 0;
  const keepRaw: typeof answers.keepRaw = async (...raw) => {
    if (clock.now() >= backAt) return answers.keepRaw(...raw);
    refused++;
    throw new ClickhouseError("unavailable", new Error("a shard is away"));
  };
  const away = { control, secretBox, answers: { ...answers, keepRaw } };
  const collection = collectionOf(away, { clock, standIn: standIn.url });
  t.after(() => collection.close(Promise.resolve()));
  await planSweepOf(service.services, accountId);
  const [sweep] = await sweepToEnd({ ...collecting, collection });
  assert.ok(refused >= 6, `${refused} were refused`);
  assert.deepEqual(
    sweep?.parts.map(({ done, failed }) => ({ done, failed })),
    [
      { done: 3, failed: [] },
      { done: 3, failed: [] },
    ],
  );
  const { spentMicros, unsettledMicros } = sumsOf(await ledgerOf(collecting));
  const { billed, micros } = billedBy(standIn);
  assert.deepEqual(
    { billed, spentMicros, unsettledMicros },
    { billed: 6, spentMicros: micros, unsettledMicros: 0 },
  );
});
