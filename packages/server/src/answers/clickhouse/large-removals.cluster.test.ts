import assert from "node:assert/strict";
import { test } from "node:test";
import { accountId, answer, idOf } from "@sightline/test-kit/contracts/answer-store-contract.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { sql } from "../../platform/sql.ts";
import { everyAnswer } from "../answer-store.ts";
import { selectedBy } from "./answer-statements.ts";
import { clickhouseAnswerStore } from "./clickhouse-answer-store.ts";

const importId = "7e0f5b1c-6a52-4d6e-9a55-0d1f4b8a0001";

test("an import of any size can be undone", async (t) => {
  const engines = await clusterEngines(t);
  const store = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  await store.record(accountId, [answer]);
  await store.record(accountId, [{ ...answer, id: idOf(2) }], importId);
  // As of 80,000,000 answers that it recorded since.
  await engines.pool.query(
    `insert into cluster_batches (account_id, import_id, first_sequence, last_sequence)
     select $1, $2, 3 + 4000 * batch, 2 + 4000 * (batch + 1)
     from generate_series(0, 19999) as batch`,
    [accountId, importId],
  );
  const selection = { ...everyAnswer, importId };
  assert.equal(await store.count(accountId, selection), 1);
  assert.equal(await store.remove(accountId, selection), 1);
  assert.equal(await store.count(accountId, everyAnswer), 1);
});

test("answers of imports that took turns are found in little memory", async (t) => {
  const { clickhouse } = await clusterEngines(t, { limits: { memoryBytes: 400_000_000 } });
  const importSequences = Array.from({ length: 3_000 }, (_, batch) => {
    return [20 * batch + 11, 20 * batch + 20] as const;
  });
  const of = selectedBy({ selection: everyAnswer, importSequences });
  const [found] = await clickhouse.query({
    query: sql`select count(), min(sequence), max(sequence), sum((sequence - 1) % 20 < 10)
      from (select number as sequence from numbers(70000)) where ${of}`,
    shape: { answers: "number", first: "number", last: "number", ofOthers: "number" },
  });
  assert.deepEqual(found, { answers: 30_000, first: 11, last: 60_000, ofOthers: 0 });
});

test("imports may take turns as often as they like", async (t) => {
  const { clickhouse } = await clusterEngines(t);
  const importSequences = Array.from({ length: 20_000 }, (_, batch) => {
    return [1_000 * batch + 10_000_001, 1_000 * batch + 10_000_010] as const;
  });
  const of = selectedBy({ selection: everyAnswer, importSequences });
  const places = { type: "Array(UInt64)", value: [10_000_000, 10_000_001, 29_999_010] } as const;
  const found = await clickhouse.query({
    query: sql`select sequence from (select arrayJoin(${places}) as sequence)
      where ${of} order by sequence`,
    shape: { sequence: "number" },
  });
  assert.deepEqual(found, [{ sequence: 10_000_001 }, { sequence: 29_999_010 }]);
  const account = { type: "UUID", value: accountId } as const;
  await clickhouse.everywhere(sql`alter table answers delete
    where account_id = ${account} and ${of} settings mutations_sync = 2`);
});

test("answers of as many prompts as an account may have can be removed", async (t) => {
  const engines = await clusterEngines(t);
  const store = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  const answers = [1, 2].map((id) => ({ ...answer, id: idOf(id), promptId: idOf(id * 99_999) }));
  await store.record(accountId, answers);
  // The filter by a topic names all of its prompts.
  const promptIds = Array.from({ length: 100_000 }, (_, prompt) => idOf(prompt));
  const selection = { ...everyAnswer, promptIds };
  assert.equal(await store.count(accountId, selection), 1);
  assert.equal(await store.remove(accountId, selection), 1);
  const read = await store.read(accountId, { after: 0, limit: 9 });
  assert.deepEqual(
    read.map(({ id }) => id),
    [idOf(2)],
  );
});
