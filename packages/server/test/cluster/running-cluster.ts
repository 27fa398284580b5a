import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { ClusterAddress } from "../../src/platform/cluster-address.ts";
import {
  type Finished,
  printedDocument,
  type RunningCommand,
  type Serving,
  startCommand,
  startServing,
} from "../command.ts";
import { type ClickhouseShards, startShards } from "../engines/clickhouse-shards.ts";
import { postgresUrl } from "../engines/postgres-database.ts";
import { redisUrl } from "../engines/redis-database.ts";
import { temporaryFolder } from "../test-service.ts";

/** Service nodes in processes of their own, over shards of ClickHouse, PostgreSQL and Redis. */
export interface RunningCluster {
  readonly shards: ClickhouseShards;
  /** Of the first node. */
  readonly dataDir: string;
  /** The base address of each node. */
  readonly urls: readonly string[];
  /** Where all nodes have their data. */
  readonly address: ClusterAddress;
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
  succeeded(await run("migrate"));
  succeeded(await run("keys", "list")); // makes the pepper
  mkdirSync(dataDir(1));
  copyFileSync(join(dataDir(0), "pepper"), join(dataDir(1), "pepper"));
  const nodes: Serving[] = [];
  const urls: string[] = [];
  const logs: string[] = [];
  const startNode = async (node: number) => {
    nodes[node] = await startServing(dataDir(node), { environment });
    urls[node] = nodes[node].url;
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
    ...{ shards, urls, address, start, run, killNode, startNode, dataDir: dataDir(0) },
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

/** What a command printed. @throws when it failed. */
export function succeeded<Document>(finished: Finished): Document | null {
  if (finished.status !== 0) throw new Error(`status ${finished.status}: ${finished.stderr}`);
  return finished.stdout.startsWith("{") ? printedDocument<Document>(finished) : null;
}
