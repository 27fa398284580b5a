import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import {
  type Finished,
  printedDocument,
  type RunningCommand,
  type Serving,
  startCommand,
  startServing,
} from "@sightline/test-kit/command.ts";
import {
  type ClickhouseShards,
  startShards,
} from "@sightline/test-kit/engines/clickhouse-shards.ts";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";
import { redisUrl } from "@sightline/test-kit/engines/redis-database.ts";
import { temporaryFolder } from "@sightline/test-kit/test-service.ts";
import { applyWorkspace } from "../../src/accounts/apply-workspace.ts";
import { readWorkspaceFile } from "../../src/accounts/workspace-file/read-workspace-file.ts";
import type { KeyProperties } from "../../src/keys/key-ring.ts";
import { migrateCluster } from "../../src/operations/migrate.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { ClusterAddress } from "../../src/platform/cluster-address.ts";
import { openStorage, type Storage } from "../../src/storage.ts";

/** Service nodes in processes of their own, over shards of ClickHouse, PostgreSQL and Redis. */
export interface RunningCluster {
  readonly shards: ClickhouseShards;
  /** Of the first node. */
  readonly dataDir: string;
  /** The base address of each node. */
  readonly urls: readonly string[];
  /** The codes of the links that the nodes printed when they were first started. */
  readonly firstRuns: readonly (string | null)[];
  /** Where all nodes have their data. */
  readonly address: ClusterAddress;
  /** Does something beside the nodes, as a command would, in this process. */
  readonly beside: <Result>(work: (storage: Storage) => Promise<Result>) => Promise<Result>;
  /** Makes an account, and a key that may read and import. */
  readonly account: (
    workspace: object,
    limits?: Pick<KeyProperties, "dailyQuota">,
  ) => Promise<ClusterAccount>;
  /** Starts `sightline` beside the nodes. */
  readonly start: (...parameters: string[]) => RunningCommand;
  /** Runs it to its end. */
  readonly run: (...parameters: string[]) => Promise<Finished>;
  /** Writes a file and gives its path. */
  readonly file: (name: string, text: string) => string;
  /** Ends a node with `kill -9`. */
  readonly killNode: (node: number) => Promise<void>;
  readonly startNode: (node: number) => Promise<void>;
  /** What all nodes said of a request in their logs. */
  readonly logOf: (requestId: string) => string;
  /** SIGSTOP: it sleeps, and its connections stay open. */
  readonly pauseNode: (node: number) => void;
  readonly wakeNode: (node: number) => void;
}

/** An account of a cluster, and its key. */
interface ClusterAccount {
  readonly accountId: string;
  readonly keyId: string;
  readonly key: string;
}

const nodeNames = ["one", "two"] as const;

/** How a cluster is started. */
export interface ClusterOptions {
  /** The address of an empty database; of the tests' server when omitted. */
  readonly postgres?: string;
  /** What nodes and commands have in their environment in addition. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts two nodes over two shards, all gone with the test. */
export async function startCluster(
  t: Pick<TestContext, "after">,
  { postgres, environment: added = {} }: ClusterOptions = {},
): Promise<RunningCluster> {
  const folder = temporaryFolder();
  const shards = await startShards(t);
  const address: ClusterAddress = {
    postgresUrl: postgres ?? (await postgresUrl()),
    clickhouseUrl: shards.urls("sightline"),
    clickhouseCluster: shards.cluster,
    clickhouseReplicated: false,
  };
  const environment = {
    SIGHTLINE_POSTGRES_URL: address.postgresUrl,
    SIGHTLINE_CLICKHOUSE_URL: address.clickhouseUrl,
    SIGHTLINE_CLICKHOUSE_CLUSTER: shards.cluster,
    SIGHTLINE_REDIS_URL: await redisUrl(),
    SIGHTLINE_RATE_LIMIT: "off",
    ...added,
  };
  const dataDir = (node: number) => join(folder, nodeNames[node] ?? "");
  const start = (...parameters: string[]) =>
    startCommand([...parameters, "--data-dir", dataDir(0)], { environment });
  const run = (...parameters: string[]) => start(...parameters).finished;
  const beside = besideNodes({ dataDir: dataDir(0), ...address });
  await migrateCluster(address);
  await beside(async () => undefined); // makes the pepper
  mkdirSync(dataDir(1));
  copyFileSync(join(dataDir(0), "pepper"), join(dataDir(1), "pepper"));
  const nodes: Serving[] = [];
  const urls: string[] = [];
  const firstRuns: (string | null)[] = [];
  const logs: string[] = [];
  const startNode = async (node: number) => {
    nodes[node] = await startServing(dataDir(node), { environment });
    urls[node] = nodes[node].url;
    firstRuns[node] ??= nodes[node].firstRun;
    nodes[node].process.stderr.on("data", (lines: Buffer) => logs.push(lines.toString()));
  };
  const killNode = async (node: number) => {
    nodes[node]?.process.kill("SIGKILL");
    await nodes[node]?.finished;
  };
  t.after(async () => {
    await Promise.all(nodes.map((_, node) => killNode(node)));
    rmSync(folder, { recursive: true });
  });
  for (const node of nodeNames.keys()) await startNode(node);
  return {
    shards,
    urls,
    firstRuns,
    address,
    beside,
    start,
    run,
    killNode,
    startNode,
    dataDir: dataDir(0),
    account: (workspace, limits = {}) => beside((storage) => made(storage, workspace, limits)),
    logOf: (requestId) => logs.filter((lines) => lines.includes(requestId)).join(""),
    pauseNode: (node) => void nodes[node]?.process.kill("SIGSTOP"),
    wakeNode: (node) => void nodes[node]?.process.kill("SIGCONT"),
    file: (name, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
  };
}

/** Opens what a command opens, for as long as the work takes. */
function besideNodes(place: ClusterAddress & { readonly dataDir: string }) {
  return async <Result>(work: (storage: Storage) => Promise<Result>): Promise<Result> => {
    const storage = await openStorage(place);
    try {
      return await work(storage);
    } finally {
      await storage.close();
    }
  };
}

async function made(
  { control, keyRing }: Storage,
  file: object,
  limits: Pick<KeyProperties, "dailyQuota">,
): Promise<ClusterAccount> {
  const workspace = readWorkspaceFile(JSON.stringify(file));
  const { accountId } = workspace;
  await applyWorkspace(control, accountId, workspace, { now: systemClock.now() });
  const properties = { name: "test", expiresAt: null, scopes: ["read", "import"] } as const;
  const { key, keyId } = await keyRing.create(accountId, { ...properties, ...limits });
  return { accountId, key, keyId };
}

/** What a command printed. @throws when it failed. */
export function succeeded<Document>(finished: Finished): Document | null {
  if (finished.status !== 0) throw new Error(`status ${finished.status}: ${finished.stderr}`);
  return finished.stdout.startsWith("{") ? printedDocument<Document>(finished) : null;
}
