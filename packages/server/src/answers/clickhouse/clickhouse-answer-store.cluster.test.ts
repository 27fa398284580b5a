import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import {
  accountId,
  all,
  answer,
  idOf,
  testAnswerStore,
} from "@sightline/test-kit/contracts/answer-store-contract.ts";
import { rawOf } from "@sightline/test-kit/contracts/raw-replies-contract.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { faultyClickhouse } from "@sightline/test-kit/engines/faulty-clickhouse.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import { migrateClickhouse } from "../../facts/clickhouse/migrate-clickhouse.ts";
import { constant } from "../../platform/sql.ts";
import { unknownCollection } from "../answer.ts";
import { everyAnswer, RecordError, recordBeginning } from "../answer-store.ts";
import { clickhouseAnswerStore } from "./clickhouse-answer-store.ts";
import { skipUsedSequences } from "./record-sequences.ts";

testAnswerStore("clickhouse", async (t) => {
  const engines = await clusterEngines(t);
  return (clock = new HeldClock()) => clickhouseAnswerStore({ ...engines, clock });
});

const answers = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...answer, id: idOf(first + index) }));

/** A store behind a proxy that can spoil its connections, and one that reaches ClickHouse. */
async function stores(t: TestContext) {
  const { proxy, engines, direct } = await faultyClickhouse(t, {
    insertSeconds: 2,
    querySeconds: 2,
  });
  const clock = new HeldClock();
  return {
    proxy,
    faulty: clickhouseAnswerStore({ ...engines, clock }),
    store: clickhouseAnswerStore({ ...engines, clickhouse: direct, clock }),
  };
}

async function sequences(store: ReturnType<typeof clickhouseAnswerStore>) {
  const read = await store.read(accountId, { after: 0, limit: 100 });
  return read.map(({ sequence, id }) => [sequence, id]);
}

test("an insert whose reply was lost is repeated, and stored once", async (t) => {
  const { proxy, faulty } = await stores(t);
  // Nothing is looked up for an account without a record: the insert is what is lost.
  proxy.lose();
  const recording = faulty.record(accountId, answers(1, 4));
  await proxy.until(() => proxy.connections() > 2);
  proxy.set({ kind: "pass" });
  assert.deepEqual(
    await recording,
    Array.from({ length: 4 }, () => "accepted"),
  );
  const expected = [1, 2, 3, 4].map((number) => [number, idOf(number)]);
  assert.deepEqual(await sequences(faulty), expected);
});

test("what a writer inserted that did not come back is left out for ever", async (t) => {
  const { proxy, faulty, store } = await stores(t);
  proxy.lose();
  await assert.rejects(faulty.record(accountId, answers(1, 3)), RecordError);
  assert.deepEqual(await sequences(store), []);
  assert.equal((await store.end(accountId)).sequence, 0);
  assert.deepEqual(await store.record(accountId, answers(2, 2)), ["accepted", "accepted"]);
  const expected = [
    [4, idOf(2)],
    [5, idOf(3)],
  ];
  assert.deepEqual(await sequences(store), expected);
  const contents = await all(store.each(accountId, { after: recordBeginning, limit: 9 }));
  assert.deepEqual(
    contents.map(({ sequence }) => sequence),
    [4, 5],
  );
  assert.deepEqual(await store.record(accountId, answers(1, 2)), ["accepted", "duplicate"]);
});

test("a removal leaves the raw replies of answers whose writer did not come back", async (t) => {
  const { proxy, faulty, store } = await stores(t);
  for (const number of [1, 2, 3, 4]) await store.keepRaw(accountId, rawOf(number));
  proxy.lose();
  await assert.rejects(faulty.record(accountId, answers(1, 3)), RecordError);
  await store.record(accountId, answers(3, 2));
  assert.equal(await store.remove(accountId, everyAnswer), 2);
  const left = await store.rawReplies(accountId, null, 9);
  assert.deepEqual(
    left.map(({ answerId }) => answerId),
    [idOf(1), idOf(2)],
  );
});

test("a record of an earlier version says that it does not know how answers came", async (t) => {
  const engines = await clusterEngines(t);
  const { clickhouse, address } = engines;
  const store = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  const before = { ...answer, ...unknownCollection };
  await store.record(accountId, [before]);
  const since = ["cost", "requested_region", "search_queries", "vendor"];
  for (const column of since) {
    await clickhouse.everywhere(constant(`alter table answers drop column ${column}`));
  }
  await clickhouse.everywhere(constant("drop table raw_replies sync"));
  const created = [...since.map((column) => `answers.${column}`), "raw_replies"];
  assert.deepEqual((await migrateClickhouse(address)).created, created);
  const after = { ...answer, id: idOf(2) };
  assert.deepEqual(await store.record(accountId, [before, after]), ["duplicate", "accepted"]);
  assert.deepEqual(await store.read(accountId, { after: 0, limit: 9 }), [
    { ...before, sequence: 1 },
    { ...after, sequence: 2 },
  ]);
});

test("two importers of one account take turns, and nothing is recorded twice", async (t) => {
  const { store, faulty: other } = await stores(t);
  const batches = [1, 3, 5, 7].flatMap((first) => [
    store.record(accountId, answers(first, 4)),
    other.record(accountId, answers(first, 4)),
  ]);
  const recordings = (await Promise.all(batches)).flat();
  assert.equal(recordings.filter((recording) => recording === "accepted").length, 10);
  const ids = (await sequences(store)).map(([, id]) => id);
  assert.deepEqual(
    ids.toSorted(),
    answers(1, 10)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test("while ClickHouse is away nothing is read in part, and all of it afterwards", async (t) => {
  const { proxy, faulty } = await stores(t);
  await faulty.record(accountId, answers(1, 50));
  for (const fault of [
    { kind: "reset" },
    { kind: "half-open" },
    { kind: "cut", afterBytes: 5_000 },
  ] as const) {
    proxy.set(fault);
    await assert.rejects(faulty.read(accountId, { after: 0, limit: 100 }), RecordError);
    const reading = all(faulty.each(accountId, { after: recordBeginning, limit: 100 }));
    await assert.rejects(reading, RecordError);
    proxy.set({ kind: "pass" });
    assert.equal((await sequences(faulty)).length, 50);
  }
});

test("answers that came after a backup do not count once it is restored", async (t) => {
  const engines = await clusterEngines(t);
  const store = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  await store.record(accountId, answers(1, 3));
  await engines.pool.query("create table backup as select * from cluster_records");
  await store.record(accountId, answers(4, 2));
  await engines.pool.query("delete from cluster_records");
  await engines.pool.query("insert into cluster_records select * from backup");

  await skipUsedSequences(engines);
  await skipUsedSequences(engines);
  const before = await sequences(store);
  assert.deepEqual(
    before.map(([sequence]) => sequence),
    [1, 2, 3],
  );
  // The same file, imported again.
  const again = await store.record(accountId, answers(1, 5));
  assert.deepEqual(again, ["duplicate", "duplicate", "duplicate", "accepted", "accepted"]);
  assert.deepEqual(await sequences(store), [...before, [6, idOf(4)], [7, idOf(5)]]);
});
