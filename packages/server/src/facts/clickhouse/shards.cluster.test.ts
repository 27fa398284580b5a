import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { answer, idOf } from "@sightline/test-kit/contracts/answer-store-contract.ts";
import { arbitraryFact } from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import {
  arbitraryAsked,
  filled,
  neverAborted,
  replies,
  rowsAfter,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { rawOf } from "@sightline/test-kit/contracts/raw-replies-contract.ts";
import { clickhouseFactsOf } from "@sightline/test-kit/engines/clickhouse-facts-of.ts";
import { startShards } from "@sightline/test-kit/engines/clickhouse-shards.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { duckdbFactsOf } from "@sightline/test-kit/engines/duckdb-facts-of.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import fc from "fast-check";
import { everyAnswer } from "../../answers/answer-store.ts";
import { clickhouseAnswerStore } from "../../answers/clickhouse/clickhouse-answer-store.ts";
import { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { constant, sql } from "../../platform/sql.ts";
import { FactsError } from "../engine.ts";
import { factInsertions } from "./fact-insertions.ts";
import { migrateClickhouse } from "./migrate-clickhouse.ts";

/** Some lie at one shard, and some at the other. */
const accounts = [1, 2, 3, 4].map(
  (number) => `cccccccc-0000-4000-8000-${String(number).padStart(12, "0")}`,
);
const [facts = []] = fc.sample(fc.array(arbitraryFact, { minLength: 20, maxLength: 20 }), {
  numRuns: 1,
  seed: 1,
});
const batches = [facts.slice(0, 8), facts.slice(8)];

async function sharded(t: TestContext) {
  const shards = await startShards(t);
  const urls = shards.urls("sharded");
  const engines = await clusterEngines(t, {
    urls,
    cluster: shards.cluster,
    limits: { insertSeconds: 20, querySeconds: 5 },
  });
  const found = await clickhouseFactsOf(t, { engines, foldRowsMin: 0, keepRetiredMs: 0 });
  return { shards, ...found };
}

/** The accounts that have rows at each shard. */
async function placed(urls: string): Promise<readonly (readonly string[])[]> {
  const at = urls.split(",").map(async (urls) => {
    const clickhouse = await Clickhouse.open([urls]);
    const query = sql`select toString(account_id) as id from appearances_local
      group by id order by id`;
    const rows = await clickhouse.query({ query, shape: { id: "text" } });
    await clickhouse.close();
    return rows.map(({ id }) => id);
  });
  return Promise.all(at);
}

test("accounts are distributed over the shards, and reply as they do in DuckDB", async (t) => {
  const { facts: engine, shards, log } = await sharded(t);
  const single = duckdbFactsOf(t, accounts);
  const asking = fc.sample(arbitraryAsked, { numRuns: accounts.length, seed: 3 });
  for (const account of accounts) {
    await filled(engine, batches, { account });
    await filled(engine, batches, { account, finishedAfter: 1 });
    await filled(single, batches, { account });
  }
  for (const [index, account] of accounts.entries()) {
    const asked = asking[index];
    assert.ok(asked !== undefined);
    const generations = await Promise.all([engine.state(account), single.state(account)]);
    const [found, expected] = generations.map((state) => state?.generation ?? "");
    assert.deepEqual(
      await replies(engine, found ?? "", { ...asked, account }),
      await replies(single, expected ?? "", { ...asked, account }),
    );
  }
  const [first = [], second = []] = await placed(shards.urls("sharded"));
  assert.ok(first.length > 0 && second.length > 0);
  assert.deepEqual([...first, ...second].toSorted(), accounts);
  assert.deepEqual(log.lines, []);
});

test("a shard that is killed: its accounts wait for it, the others go on", async (t) => {
  const { facts: engine, shards, ...engines } = await sharded(t);
  for (const account of accounts) await filled(engine, [batches[0] ?? []], { account });
  const [first = [], second = []] = await placed(shards.urls("sharded"));
  const [lost = "", kept = ""] = [second[0], first[0]];
  const answers = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  await shards.kill(1);
  const coverage = async (account: string) => {
    const generation = (await engine.state(account))?.generation ?? "";
    return (await engine.coverage(account, generation, neverAborted)).answers;
  };
  assert.equal(await coverage(kept), 8);
  const refused = await coverage(lost).catch((error: unknown) => error);
  assert.ok(refused instanceof FactsError);
  assert.equal(refused.fault, "unavailable");
  assert.deepEqual(await answers.record(kept, [answer]), ["accepted"]);
  const generation = (await engine.state(lost))?.generation ?? "";
  // Both wait for the shard, and are done when it is back.
  const appending = engine.append(lost, generation, await rowsAfter(8, batches[1]));
  const recording = answers.record(lost, [answer, { ...answer, id: idOf(2) }]);
  await shards.restart(1);
  assert.deepEqual(await recording, ["accepted", "accepted"]);
  await appending;
  assert.equal(await coverage(lost), 20);
  const range = { after: 0, limit: 9 };
  assert.equal((await answers.read(lost, range)).length, 2);
});

test("raw replies are at the shard of their answers, and go with them", async (t) => {
  const { facts: _, shards: __, ...engines } = await sharded(t);
  const answers = clickhouseAnswerStore({ ...engines, clock: new HeldClock() });
  const left = async () => {
    const kept = accounts.map((account) => answers.rawReplies(account, null, 9));
    return (await Promise.all(kept)).map((replies) => replies.map(({ answerId }) => answerId));
  };
  for (const account of accounts) {
    await answers.record(account, [answer, { ...answer, id: idOf(2), answeredAt: 1 }]);
    for (const number of [1, 2, 3]) await answers.keepRaw(account, rawOf(number));
  }
  for (const account of accounts) {
    await answers.remove(account, { ...everyAnswer, ids: [idOf(1)] });
  }
  assert.deepEqual(
    await left(),
    accounts.map(() => [idOf(2), idOf(3)]),
  );
  const removal = { fromMs: 0, beforeMs: 2, limit: 9, mentionedIn: () => [] };
  for (const account of accounts) await answers.removeTexts(account, removal);
  assert.deepEqual(
    await left(),
    accounts.map(() => [idOf(3)]),
  );
  const [first = "", second = "", ...others] = accounts;
  assert.equal(await answers.removeRaw(first, rawOf(3).at + 1), 1);
  await answers.erase(second);
  assert.deepEqual(await left(), [[], [], ...others.map(() => [idOf(3)])]);
});

test("an insert that is sent twice is stored once at its shard", async (t) => {
  const { clickhouse } = await sharded(t);
  const rows = await rowsAfter(0, facts);
  for (const accountId of accounts) {
    const key = { accountId, generation: 1, batch: 1, fold: 0 };
    const { insertions } = await factInsertions(rows, key);
    for (const insertion of [...insertions, ...insertions]) await clickhouse.insert(insertion);
  }
  for (const table of ["appearances", "citations_by_prompt", "daily", "url_names"]) {
    const query = sql`select count(), uniqExact(account_id) from ${constant(table)}`;
    const [counted] = await clickhouse.query({ query, shape: { rows: "number", of: "number" } });
    const each = (counted?.rows ?? 0) / accounts.length;
    const [once] = await clickhouse.query({
      query: sql`select count() from ${constant(table)}
        where account_id = ${{ type: "UUID", value: accounts[0] ?? "" }}`,
      shape: { rows: "number" },
    });
    assert.deepEqual([each, counted?.of], [once?.rows, accounts.length]);
    if (table === "appearances") assert.equal(each, rows.appearances.answer.length);
  }
});

test("the migration names nodes without tables, and does nothing when repeated", async (t) => {
  const shards = await startShards(t);
  const address = {
    clickhouseUrl: shards.urls("sharded"),
    clickhouseCluster: shards.cluster,
    clickhouseReplicated: false,
  };
  const [only = ""] = address.clickhouseUrl.split(",");
  await assert.rejects(
    migrateClickhouse({ ...address, clickhouseUrl: only }),
    /1 of 2 nodes of the cluster shards have no tables/,
  );
  const { nodes, created } = await migrateClickhouse(address);
  assert.deepEqual([nodes, created], [2, []]);
  const misnamed = migrateClickhouse({ ...address, clickhouseCluster: "others" });
  await assert.rejects(misnamed, /no cluster others|'others'/);
});
