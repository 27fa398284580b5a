import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { arbitraryFact } from "@sightline/test-kit/contracts/arbitrary-facts.ts";
import {
  accountId,
  arbitraryAsked,
  filled,
  neverAborted,
  replies,
  rowsAfter,
} from "@sightline/test-kit/contracts/facts-engine-contract.ts";
import { clickhouseFactsOf } from "@sightline/test-kit/engines/clickhouse-facts-of.ts";
import { startClickhouseServer } from "@sightline/test-kit/engines/clickhouse-server.ts";
import { clusterEngines } from "@sightline/test-kit/engines/cluster-engines.ts";
import { faultyClickhouse } from "@sightline/test-kit/engines/faulty-clickhouse.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import fc from "fast-check";
import { FactsError } from "../engine.ts";
import { currentState } from "./generation-rows.ts";
import { reserveBatch, SupersededError } from "./generation-writes.ts";

const [facts = []] = fc.sample(fc.array(arbitraryFact, { minLength: 40, maxLength: 40 }), {
  numRuns: 1,
  seed: 1,
});
const [asked] = fc.sample(arbitraryAsked, { numRuns: 1, seed: 2 });
const batches = [facts.slice(0, 10), facts.slice(10, 30), facts.slice(30)];

type Replies = Awaited<ReturnType<typeof replies>>;

let undisturbed: Replies | null = null;

/** What facts of all batches reply, when nothing went wrong. */
async function expected(t: TestContext): Promise<Replies> {
  if (undisturbed !== null) return undisturbed;
  const { facts: engine } = await clickhouseFactsOf(t);
  assert.ok(asked !== undefined);
  undisturbed = await replies(engine, await filled(engine, batches), asked);
  return undisturbed;
}

test("a batch whose insert lost its reply is sent again, and counts once", async (t) => {
  const { proxy, engines } = await faultyClickhouse(t, { insertSeconds: 10 });
  const { facts: engine } = await clickhouseFactsOf(t, { engines });
  const generation = await filled(engine, [batches[0] ?? []]);
  proxy.lose();
  const before = proxy.connections();
  const appending = engine.append(accountId, generation, await rowsAfter(10, batches[1]));
  await proxy.until(() => proxy.connections() > before + 30);
  proxy.set({ kind: "pass" });
  await appending;
  await engine.append(accountId, generation, await rowsAfter(30, batches[2]));
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(engine, generation, asked), await expected(t));
});

test("rows of a batch that was given up never count, and its second attempt does", async (t) => {
  const { proxy, engines, direct } = await faultyClickhouse(t, { insertSeconds: 1 });
  const { facts: faulty } = await clickhouseFactsOf(t, { engines });
  const { facts: engine } = await clickhouseFactsOf(t, {
    engines: { ...engines, clickhouse: direct },
  });
  const generation = await filled(engine, [batches[0] ?? []]);
  const coverage = await engine.coverage(accountId, generation, neverAborted);
  proxy.lose();
  const second = await rowsAfter(10, batches[1]);
  await assert.rejects(faulty.append(accountId, generation, second), FactsError);
  assert.deepEqual(await engine.coverage(accountId, generation, neverAborted), coverage);
  await engine.append(accountId, generation, second);
  const third = await rowsAfter(30, batches[2]);
  const done = await engine.append(accountId, generation, third);
  // The reply of the last step was lost: the same rows come again.
  assert.deepEqual(await engine.append(accountId, generation, third), done);
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(engine, generation, asked), await expected(t));
});

test("batches that were refused in a row are one range, and do not count", async (t) => {
  const engines = await clusterEngines(t);
  const { facts: engine } = await clickhouseFactsOf(t, { engines, fence: () => 1 });
  const generation = await filled(engine, [batches[0] ?? []]);
  const refuse = async (times: number) => {
    for (let each = 0; each < times; each++) {
      await reserveBatch(engines.pool, { accountId, fence: 1 }, Number(generation));
    }
  };
  await refuse(300);
  await engine.append(accountId, generation, await rowsAfter(10, batches[1]));
  await refuse(1);
  await engine.append(accountId, generation, await rowsAfter(30, batches[2]));
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(engine, generation, asked), await expected(t));
  const state = await currentState(engines.pool, accountId);
  assert.deepEqual(state?.abandoned, [
    [2, 301],
    [303, 303],
  ]);
});

test("a writer that wakes after another took the lease is refused", async (t) => {
  const engines = await clusterEngines(t);
  const { facts: old } = await clickhouseFactsOf(t, { engines, fence: () => 1 });
  const { facts: engine } = await clickhouseFactsOf(t, { engines, fence: () => 2 });
  const generation = await filled(old, [batches[0] ?? []]);
  const second = await rowsAfter(10, batches[1]);
  const third = await rowsAfter(30, batches[2]);
  await engine.append(accountId, generation, second);
  await assert.rejects(old.append(accountId, generation, third), SupersededError);
  await assert.rejects(old.finish(accountId, generation), SupersededError);
  await engine.append(accountId, generation, third);
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(engine, generation, asked), await expected(t));
});

test("two writers with the same lease append no answer twice", async (t) => {
  const engines = await clusterEngines(t);
  const { facts: one } = await clickhouseFactsOf(t, { engines });
  const { facts: other } = await clickhouseFactsOf(t, { engines });
  const generation = await filled(one, [batches[0] ?? []]);
  const rows = await rowsAfter(10, batches[1]);
  const appended = await Promise.allSettled(
    [one, other, one, other].map((engine) => engine.append(accountId, generation, rows)),
  );
  assert.ok(appended.some(({ status }) => status === "fulfilled"));
  for (const each of appended) {
    if (each.status === "rejected") assert.ok(each.reason instanceof SupersededError);
  }
  await one.append(accountId, generation, await rowsAfter(30, batches[2]));
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(other, generation, asked), await expected(t));
});

test("kill -9 of ClickHouse during inserts: each batch is there once", async (t) => {
  const folder = temporaryFolder();
  let server = await startClickhouseServer(join(folder, "clickhouse"));
  t.after(async () => {
    await server.kill();
    rmSync(folder, { recursive: true });
  });
  const engines = await clusterEngines(t, { urls: server.url("facts") });
  const { facts: engine } = await clickhouseFactsOf(t, { engines });
  const generation = await filled(engine, []);
  for (const [index, [after, batch]] of [0, 10, 30]
    .map((each, place) => [each, batches[place]] as const)
    .entries()) {
    const appending = engine.append(accountId, generation, await rowsAfter(after, batch));
    // Somewhere among its inserts, at another place each time.
    for (let turn = 0; turn < 20 * index; turn++) await new Promise(setImmediate);
    await server.kill();
    server = await startClickhouseServer(join(folder, "clickhouse"), { port: server.port });
    await appending;
  }
  assert.ok(asked !== undefined);
  assert.deepEqual(await replies(engine, generation, asked), await expected(t));
});

test("while ClickHouse is away a question says so, and is answered afterwards", async (t) => {
  const { proxy, engines } = await faultyClickhouse(t, { querySeconds: 1 });
  const { facts: engine } = await clickhouseFactsOf(t, { engines });
  const generation = await filled(engine, batches);
  assert.ok(asked !== undefined);
  const whole = await replies(engine, generation, asked);
  for (const fault of [
    { kind: "reset" },
    { kind: "half-open" },
    { kind: "cut", afterBytes: 150 },
    { kind: "cut", afterBytes: 1_000 },
  ] as const) {
    proxy.set(fault);
    const asking = engine.coverage(accountId, generation, neverAborted);
    const reply = await asking.catch((error: unknown) => error);
    if (reply instanceof FactsError) assert.equal(reply.fault, "unavailable");
    else assert.deepEqual(reply, whole.coverage);
    proxy.set({ kind: "pass" });
    // On a busy machine a second may be too short for a question, too.
    const answered = await until("it is answered", () =>
      engine.coverage(accountId, generation, neverAborted).catch((error: unknown) => {
        assert.ok(error instanceof FactsError && error.fault === "unavailable", `${error}`);
        return null;
      }),
    );
    assert.deepEqual(answered, whole.coverage);
  }
  assert.deepEqual(await replies(engine, generation, asked), whole);
});
