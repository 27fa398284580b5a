import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { vendorEnvironment } from "@sightline/test-kit/collection/vendor-environment.ts";
import { seededRandom } from "@sightline/test-kit/seeded-random.ts";
import { until } from "@sightline/test-kit/until.ts";
import { applyWorkspace } from "../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import { isEngineAway } from "../../src/platform/failed-work.ts";
import { openStorage, type Storage } from "../../src/storage.ts";
import { recordedAnswers } from "../collection/check-killed-sweep.ts";
import {
  concurrency,
  isPublished,
  type KilledSweep,
  killAtRandom,
  planKilledSweep,
  StandInProcess,
  sweepWorkspace,
} from "../collection/sweep-to-kill.ts";
import { type DurablePostgres, startDurablePostgres } from "./durable-postgres.ts";
import { type RunningCluster, startCluster } from "./running-cluster.ts";

/** A sweep whose nodes and engines are killed. */
export interface KilledClusterSweepOptions {
  /** An empty folder. */
  readonly folder: string;
  /** The sweep has four times as many jobs. */
  readonly prompts: number;
  /** How many `kill -9` there are at most. */
  readonly kills: number;
  /** What they meet, each as often as the others; all when omitted. */
  readonly victims?: readonly ClusterVictim[];
  readonly seed: number;
  readonly onKill?: (line: string) => void;
}

const all = ["stand-in", "node 0", "node 1", "shard 0", "shard 1", "postgres"] as const;
/** What can be killed. */
type ClusterVictim = (typeof all)[number];

/** An engine stays away for up to so long, in which nodes meet its absence. */
const awayMsMax = 1_500;
const startedWithinMs = 120_000;
/** How often parts are looked at: reading all answers takes a while. */
const lookEveryMs = 500;

/**
 * Runs a sweep by two nodes over shards of ClickHouse, PostgreSQL and Redis, and kills nodes,
 * shards, PostgreSQL and the stand-in, at random and again and again, until it is published.
 * @throws AssertionError when some answers of a part are recorded and others are not.
 */
export async function killedClusterSweep(
  t: Pick<TestContext, "after">,
  { folder, prompts, kills: most, seed, ...options }: KilledClusterSweepOptions,
): Promise<KilledSweep> {
  const { victims = all, onKill = () => undefined } = options;
  const standIn = await StandInProcess.in(folder);
  t.after(() => standIn.kill());
  const postgres = await startDurablePostgres(t);
  const environment = {
    ...vendorEnvironment(standIn.url),
    SIGHTLINE_COLLECT_CONCURRENCY: concurrency,
  };
  const cluster = await startCluster(t, { postgres: postgres.url, environment });
  await standIn.start();
  const place = { dataDir: cluster.dataDir, ...cluster.address };
  const storage = await openStorage(place);
  t.after(() => storage.close());
  const workspace = readWorkspaceFile(sweepWorkspace(prompts));
  await applyWorkspace(storage.control, workspace.accountId, workspace, {
    now: storage.clock.now(),
  });
  const random = seededRandom(seed);
  const sweep = await planKilledSweep(storage);
  const kills = await killAtRandom({
    victims,
    kills: most,
    random,
    standIn,
    onKill,
    ended: partsLook(storage, { ...sweep, prompts }),
    kill: (victim) => killOne({ cluster, postgres, standIn, awayMs: random() * awayMsMax }, victim),
  });
  return { place, ...sweep, billFile: standIn.billFile, kills };
}

/** Whether the sweep is published; each look asserts that its parts are recorded as wholes. */
function partsLook(
  storage: Storage,
  { prompts, ...sweep }: Pick<KilledSweep, "accountId" | "sweepId"> & { prompts: number },
): () => Promise<true | null> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    if (performance.now() - lookedAt < lookEveryMs) return null;
    lookedAt = performance.now();
    try {
      const answers = new Map<string, number>();
      for await (const { provider } of recordedAnswers(storage.answers, sweep.accountId)) {
        answers.set(provider, (answers.get(provider) ?? 0) + 1);
      }
      for (const [provider, count] of answers) assert.equal(count, prompts, `of ${provider}`);
      return await isPublished(storage, sweep);
    } catch (error) {
      if (isEngineAway(error)) return null;
      throw error;
    }
  };
}

interface Killable {
  readonly cluster: RunningCluster;
  readonly postgres: DurablePostgres;
  readonly standIn: StandInProcess;
  /** How long an engine is away. */
  readonly awayMs: number;
}

async function killOne(
  { cluster, postgres, standIn, awayMs }: Killable,
  victim: ClusterVictim,
): Promise<void> {
  switch (victim) {
    case "stand-in":
      await standIn.kill();
      return standIn.start();
    case "node 0":
    case "node 1": {
      const node = Number(victim.slice(-1));
      await cluster.killNode(node);
      // An engine that was killed just before may not be ready.
      const started = () =>
        cluster.startNode(node).then(
          () => true,
          () => null,
        );
      return void (await until("a node starts", started, startedWithinMs));
    }
    case "shard 0":
    case "shard 1": {
      const shard = Number(victim.slice(-1));
      await cluster.shards.kill(shard);
      await away(awayMs);
      return cluster.shards.restart(shard);
    }
    case "postgres":
      await postgres.kill();
      await away(awayMs);
      return postgres.restart();
  }
}

async function away(ms: number): Promise<void> {
  const end = performance.now() + ms;
  await until("the moment", () => (performance.now() >= end ? true : null), ms + 60_000);
}
