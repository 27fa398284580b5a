import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { standInCredentials, startStandIn } from "@sightline/stand-in";
import type { StandInFaults } from "@sightline/stand-in/faults";
import { billedBy, sumsOf } from "@sightline/test-kit/collection/collecting.ts";
import { planSweepOf } from "@sightline/test-kit/collection/plan-sweep-of.ts";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import { runCommand, startServing, stopped } from "@sightline/test-kit/command.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { until } from "@sightline/test-kit/until.ts";
import { allAccounts } from "../../src/accounts/account-store.ts";
import { builtInPrices } from "../../src/collection/price-list.ts";
import {
  credentialOwner,
  hasCredentials,
  saveCredential,
} from "../../src/collection/store/credential-store.ts";
import { spendOf } from "../../src/collection/store/spend-ledger.ts";
import { sweepById } from "../../src/collection/store/sweep-reads.ts";
import { CollectionThread } from "../../src/collection/thread.ts";
import { theService } from "../../src/platform/actor.ts";
import { createLogger } from "../../src/platform/logger.ts";
import { createMetrics } from "../../src/platform/metrics.ts";
import { openStorage } from "../../src/storage.ts";

/** A server that collects, from a data folder that the test has open too. */
async function servedCollection(t: TestContext, faults: StandInFaults) {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  const workspace = join(folder, "workspace.json");
  const prompts = Array.from({ length: 10 }, (_, each) => `Which seeds are best for bed ${each}?`);
  const collection = { providers: [{ provider: "OPENAI", model: "gpt-4.1" }] };
  writeFileSync(workspace, JSON.stringify({ account: "A", brand: "Acme", collection, prompts }));
  const applied = await runCommand(["apply", workspace, "--data-dir", dataDir]);
  assert.equal(applied.status, 0, applied.stderr);
  const standIn = await startStandIn({ faults });
  const storage = await openStorage(dataDir);
  const [account] = await allAccounts(storage.control);
  const accountId = account?.id ?? "";
  const environment = vendorEnvironment(standIn.url);
  const serve = () => startServing(dataDir, { environment, parameters: ["--log-level", "info"] });
  const plan = () => planSweepOf(storage, accountId);
  t.after(async () => {
    await storage.close();
    await standIn.close();
    rmSync(folder, { recursive: true });
  });
  return { accountId, standIn, storage, serve, plan };
}

test("a server asks by itself, counts what it did, and says nothing secret", async (t) => {
  const { accountId, storage, serve, plan, standIn } = await servedCollection(t, {});
  const serving = await serve();
  const sweepId = await plan();
  await until("the sweep is published", async () => {
    const sweep = await sweepById(storage.control, accountId, sweepId, storage.clock.now());
    return sweep?.parts.every(({ publishedAt }) => publishedAt !== null) ? true : null;
  });
  const metrics = await until("what it did is counted", async () => {
    const text = await (await fetch(`${serving.url}/metrics`)).text();
    return text.includes("sightline_collection_parts_total{") ? text : null;
  });
  const has = (line: string) => assert.ok(metrics.includes(line), line);
  has('sightline_collection_request_seconds_count{vendor="openai",result="replied"} 10');
  has('sightline_collection_jobs_total{provider="OPENAI",result="done"} 10');
  has('sightline_collection_parts_total{provider="OPENAI",result="published"} 1');
  has(`sightline_collection_spent_dollars_total{vendor="openai"} `);
  has('sightline_collection_vendor_up{vendor="openai"} 1');
  const { status, stderr } = await stopped(serving);
  assert.equal(status, 0, stderr);
  assert.match(stderr, /a part of a sweep was published/);
  for (const secret of [...Object.values(standInCredentials), "Which seeds"]) {
    assert.ok(!`${stderr}${metrics}`.includes(secret), secret);
  }
  assert.equal(billedBy(standIn).billed, 10);
});

test("a server that stops lets requests under way end, and keeps their replies", async (t) => {
  const latencyMs = 2_000;
  const { accountId, storage, serve, plan, standIn } = await servedCollection(t, { latencyMs });
  const serving = await serve();
  const sweepId = await plan();
  await until("they are asked", () => (billedBy(standIn).received === 10 ? true : null));
  const { status, stderr } = await stopped(serving);
  assert.equal(status, 0, stderr);
  const sweep = await sweepById(storage.control, accountId, sweepId, storage.clock.now());
  const [part] = sweep?.parts ?? [];
  const { spentMicros, reservedMicros, unsettledMicros } = sumsOf(
    await spendOf(storage.control, accountId, 0, 100_000),
  );
  assert.equal(part?.underWay, 0);
  assert.equal(reservedMicros, 0);
  // One in a hundred takes four times as long, and may be cut off.
  assert.ok((part?.done ?? 0) >= 7, JSON.stringify(part));
  const { micros } = billedBy(standIn);
  assert.ok(spentMicros <= micros && micros <= spentMicros + unsettledMicros);
});

test("a thread that ended is replaced by the next report, and the sweep goes on", async (t) => {
  const { accountId, storage, plan, standIn } = await servedCollection(t, { latencyMs: 500 });
  const metrics = createMetrics();
  const thread = new CollectionThread({
    records: { dataDir: storage.folder.root },
    collects: true,
    secrets: standInCredentials,
    boxKey: storage.secretBox.forThread(),
    hasStored: async () => false,
    standIn: standIn.url,
    prices: builtInPrices,
    reader: null,
    concurrency: 2,
    logLevel: "fatal",
    logger: createLogger("fatal"),
    metrics,
  });
  t.after(() => thread.close());
  const sweepId = await plan();
  await thread.report();
  await until("some are asked", () => (billedBy(standIn).billed >= 3 ? true : null));
  await thread.close();
  const { billed } = billedBy(standIn);
  assert.ok(billed < 10, `${billed} of 10 were asked`);
  await thread.report();
  await until("the sweep is published", async () => {
    const sweep = await sweepById(storage.control, accountId, sweepId, storage.clock.now());
    return sweep?.parts.every(({ publishedAt }) => publishedAt !== null) ? true : null;
  });
  await thread.report();
  assert.equal(thread.health.find(({ vendor }) => vendor === "openai")?.state, "ready");
  assert.equal(billedBy(standIn).billed, 10);
  const { unsettledMicros, spentMicros } = sumsOf(
    await spendOf(storage.control, accountId, 0, 100_000),
  );
  assert.deepEqual(
    { unsettledMicros, spentMicros },
    { unsettledMicros: 0, spentMicros: billedBy(standIn).micros },
  );
});

test("a thread without a credential begins when an account stores one", async (t) => {
  const { accountId, storage, standIn } = await servedCollection(t, {});
  const { control, clock, secretBox } = storage;
  const thread = new CollectionThread({
    records: { dataDir: storage.folder.root },
    collects: true,
    secrets: {},
    boxKey: secretBox.forThread(),
    hasStored: () => hasCredentials(control),
    standIn: standIn.url,
    prices: builtInPrices,
    reader: null,
    concurrency: 2,
    logLevel: "fatal",
    logger: createLogger("fatal"),
    metrics: createMetrics(),
  });
  t.after(() => thread.close());
  await thread.report();
  assert.equal(thread.health.length, 0);
  const key = { accountId, vendor: "openai" } as const;
  const sealed = secretBox.seal(standInCredentials.openai, credentialOwner(key));
  await saveCredential(control, { ...key, sealed, storedAt: clock.now() });
  await thread.report();
  assert.equal(thread.health.find(({ vendor }) => vendor === "openai")?.state, "no-credential");
  const planned = await thread.api.plan({ accountId, dryRun: false }, theService);
  assert.equal(planned.kind === "planned" && planned.jobs, 10);
  await until("all are asked", () => (billedBy(standIn).billed === 10 ? true : null));
});
