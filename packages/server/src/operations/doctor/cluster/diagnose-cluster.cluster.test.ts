import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { clickhouseUrl } from "@sightline/test-kit/engines/clickhouse-database.ts";
import { freePort } from "@sightline/test-kit/engines/free-port.ts";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { redisUrl } from "@sightline/test-kit/engines/redis-database.ts";
import { applyWorkspace } from "../../../accounts/apply-workspace.ts";
import { noteRecorded, totalsOf } from "../../../accounts/progress-store.ts";
import { readWorkspaceFile } from "../../../accounts/workspace-file/read-workspace-file.ts";
import { openControl } from "../../../control/control.ts";
import { PoolerError } from "../../../control/postgres/own-session.ts";
import {
  clickhouseTables,
  migrateClickhouse,
  openClickhouseState,
} from "../../../facts/clickhouse/migrate-clickhouse.ts";
import { openRedisState } from "../../../keys/limits/redis/redis-link.ts";
import { theService } from "../../../platform/actor.ts";
import { systemClock } from "../../../platform/clock.ts";
import type { EngineState, TableSize } from "../../../platform/engine-state.ts";
import { addReport } from "../../../reports/report-store.ts";
import { beginMove } from "../../move/account-moves.ts";
import { checkEngine, noAnswer } from "./check-engine.ts";
import { type ClusterToCheck, diagnoseCluster } from "./diagnose-cluster.ts";
import { openPostgresState } from "./postgres-state.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

/** An engine that says what the test wants to see judged. */
function engineOf(said: Partial<Record<"version" | "aheadMs" | "sizes", unknown>>): EngineState {
  const { version = "26.7.1.2", aheadMs = 0, sizes = [] } = said;
  return {
    kind: "ClickHouse",
    address: "here:8123",
    version: async () => String(version),
    nowMs: async () => Date.now() + Number(aheadMs),
    sizes: async () => sizes as readonly TableSize[],
    missing: async () => [],
    close: async () => undefined,
  };
}

const faultsOf = async (said: Parameters<typeof engineOf>[0]) =>
  (await checkEngine(engineOf(said), systemClock)).faults;

test("versions, clocks and sizes are judged", async () => {
  const table = (name: string, bytes: number, isOfEngine: boolean) => ({
    table: name,
    bytes,
    isOfEngine,
  });
  assert.deepEqual(await faultsOf({}), []);
  assert.deepEqual(await faultsOf({ version: "27.1" }), []);
  assert.match(String(await faultsOf({ version: "26.6.9" })), /^its version is 26\.6\.9; .* 26\.7/);
  assert.match(String(await faultsOf({ version: "what" })), /version is not known/);
  assert.deepEqual(await faultsOf({ aheadMs: 1_500 }), []);
  assert.match(String(await faultsOf({ aheadMs: 9_000 })), /clock is 9\.0 s ahead of this node's/);
  assert.match(String(await faultsOf({ aheadMs: -9_000 })), /clock is 9\.0 s behind this node's/);
  const [ours, logs] = [table("sightline.facts", 2e9, false), table("system.text_log", 3e9, true)];
  assert.deepEqual(await faultsOf({ sizes: [ours, table("system.part_log", 1e9, true)] }), []);
  assert.deepEqual(await faultsOf({ sizes: [table("system.part_log", 9e8, true)] }), []);
  assert.match(String(await faultsOf({ sizes: [ours, logs] })), /3000000000 bytes.*text_log/);
});

function clusterOf(postgres: string, redis: string): ClusterToCheck {
  return {
    postgres: { name: "postgres", open: () => openPostgresState(postgres) },
    engines: [{ name: "redis", open: () => openRedisState(redis) }],
    pepper: { name: "pepper", fingerprint: () => "ours" },
    clock: systemClock,
  };
}

async function openCluster(t: TestContext) {
  const postgres = await postgresUrl();
  const control = await openControl({ postgres }, systemClock);
  t.after(() => control.close());
  return { control, cluster: clusterOf(postgres, await redisUrl()) };
}

test("a report that differs from what was made is found", async (t) => {
  const { control, cluster } = await openCluster(t);
  const workspace = readWorkspaceFile(JSON.stringify({ account: "A", brand: "A" }));
  await applyWorkspace(control, workspace.accountId, workspace, { now: 0 });
  const days = { startDate: "2026-05-25", endDate: "2026-05-31" };
  const page = { language: "en", numbers: {} as never, html: "<p>made</p>" } as const;
  const times = { period: days, compareWith: null, madeAt: 0, dueAt: null };
  const report = { ...page, ...times, id: "r1", name: "Weekly", actor: theService };
  await addReport(control, workspace.accountId, report, async () => undefined);
  const ofReports = async () =>
    (await diagnoseCluster(cluster)).faults.filter(({ fault }) => fault.startsWith("report"));
  assert.deepEqual(await ofReports(), []);
  await control.database
    .updateTable("reports")
    .set({ html: gzipSync("<p>MADE</p>") })
    .execute();
  const fault = `report r1 of account ${workspace.accountId} differs from what was made`;
  assert.deepEqual(await ofReports(), [{ file: "postgres", fault }]);
});

test("a good cluster: versions, sizes and leases of engines that run", async (t) => {
  const { control, cluster } = await openCluster(t);
  await beginMove(control, accountId, { name: "Acme", createdAt: 1, fileHash: "" });
  await control.leases.take(accountId);
  const found = await diagnoseCluster(cluster);
  assert.deepEqual(found.faults, []);
  assert.equal(found.ok, true);
  assert.deepEqual(found.leases, { held: 1, ended: 0, holders: 1 });
  assert.deepEqual(found.totals, await totalsOf(control));
  const [postgres, redis] = found.engines;
  assert.match(postgres?.version ?? "", /^15\.\d+/);
  assert.match(redis?.version ?? "", /^7\.\d+/);
  for (const engine of found.engines) assert.ok(Math.abs(engine.clockAheadMs) < 2_000);
  assert.ok(postgres?.sizes.some(({ table }) => table === "public.accounts"));
  await control.leases.release(accountId);
  const { leases } = await diagnoseCluster(cluster);
  assert.deepEqual(leases, { held: 0, ended: 1, holders: 0 });
});

test("engines that are away are named, without passwords, and the others checked", async () => {
  const port = await freePort();
  const redis = `redis://user:very-secret@127.0.0.1:${port}`;
  const found = await diagnoseCluster({
    postgres: {
      name: "postgres",
      open: () => openPostgresState(`postgres://user:very-secret@127.0.0.1:${port}/none`),
    },
    engines: [
      { name: "redis", open: () => openRedisState(redis) },
      { name: "clickhouse", open: async () => engineOf({}) },
    ],
    pepper: { name: "pepper", fingerprint: () => "ours" },
    clock: systemClock,
  });
  assert.deepEqual(
    found.faults.map(({ file }) => file),
    ["postgres", "redis"],
  );
  for (const { fault } of found.faults) assert.match(fault, /^does not answer: /);
  assert.deepEqual([found.ok, found.leases, found.totals], [false, null, null]);
  assert.equal(found.engines.length, 1);
  assert.ok(!JSON.stringify(found).includes("very-secret"));
});

test("answers that no node works on are a fault after a minute", async (t) => {
  const { control, cluster } = await openCluster(t);
  await beginMove(control, accountId, { name: "Acme", createdAt: 1, fileHash: "" });
  const note = (agoMs: number) =>
    noteRecorded(control, accountId, { sequence: 7, recordedAtMs: Date.now() - agoMs });
  await note(1_000);
  assert.equal((await diagnoseCluster(cluster)).ok, true);
  await note(120_000);
  assert.match(String((await diagnoseCluster(cluster)).faults[0]?.fault), /^7 answers are not in/);
  await control.leases.take(accountId);
  assert.equal((await diagnoseCluster(cluster)).ok, true);
});

test("ClickHouse: version, clock, sizes, and tables that are missing", async (t) => {
  const clickhouse = {
    clickhouseUrl: await clickhouseUrl(),
    clickhouseCluster: null,
    clickhouseReplicated: false,
  };
  const state = await openClickhouseState(clickhouse.clickhouseUrl, clickhouse);
  t.after(() => state.close());
  const names = clickhouseTables.map(({ name }) => name);
  const before = await checkEngine(state, systemClock);
  assert.deepEqual(before.faults, [`it lacks ${names.join(", ")}; run sightline migrate`]);
  await migrateClickhouse(clickhouse);
  const { engine, isCurrent, faults } = await checkEngine(state, systemClock);
  assert.deepEqual([isCurrent, faults], [true, []]);
  assert.match(engine?.version ?? "", /^26\.7\.\d+/);
  assert.ok(Math.abs(engine?.clockAheadMs ?? Number.NaN) < 2_000);
  for (const { table, bytes } of engine?.sizes ?? []) assert.ok(table.includes(".") && bytes > 0);
});

test("a database without tables is told to be migrated, and is not", async () => {
  const cluster = clusterOf(await postgresUrl(), await redisUrl());
  const { faults, leases } = await diagnoseCluster(cluster);
  assert.match(
    String(faults[0]?.fault),
    /^it lacks 0001-accounts-and-keys, .*; run sightline migrate$/,
  );
  assert.deepEqual([faults.length, leases], [1, null]);
  assert.deepEqual((await diagnoseCluster(cluster)).faults, faults);
});

test("another pepper than that of the nodes, a missing and a damaged one are faults", async (t) => {
  const { control, cluster } = await openCluster(t);
  const faultWith = async (fingerprint: () => string | null) => {
    const found = await diagnoseCluster({ ...cluster, pepper: { name: "p", fingerprint } });
    return found.faults.map(({ file, fault }) => `${file}: ${fault}`).join();
  };
  assert.equal(await faultWith(() => null), "");
  await control.claimPepper("ours");
  assert.equal(await faultWith(() => "ours"), "");
  assert.match(await faultWith(() => null), /^p: is missing; copy the file from/);
  assert.match(await faultWith(() => "theirs"), /^p: is not the pepper of the other nodes; copy/);
  const damaged = () => {
    throw new Error("p: the pepper is damaged");
  };
  assert.match(await faultWith(damaged), /the pepper is damaged/);
});

test("an engine that answers through a pooler is not said to be silent", () => {
  assert.match(noAnswer(new PoolerError()), /^PostgreSQL is behind a pooler/);
  assert.equal(noAnswer(new Error("ClickHouse is unavailable: x")), "does not answer: x");
});
