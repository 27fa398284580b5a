import { rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { temporaryFolder } from "../test-service.ts";
import { type ClickhouseServer, freePortPair, startClickhouseServer } from "./clickhouse-server.ts";

/** A cluster of ClickHouse of our own. */
export interface ClickhouseShards {
  readonly cluster: string;
  /** The addresses of a database at every node, in the order of the shards. */
  readonly urls: (database: string) => string;
  /** Kills a shard with `kill -9`. */
  readonly kill: (shard: number) => Promise<void>;
  /** Starts a killed one again, over what it had. */
  readonly restart: (shard: number) => Promise<void>;
}

const cluster = "shards";

/** Starts a cluster of two shards without replicas, which is gone with the test. */
export async function startShards(t: Pick<TestContext, "after">): Promise<ClickhouseShards> {
  const folder = temporaryFolder();
  const ports = [await freePortPair(), await freePortPair()];
  const shards = ports.map(
    (port) => `<shard><replica><host>127.0.0.1</host><port>${port + 1}</port></replica></shard>`,
  );
  const config = `<remote_servers><${cluster}>${shards.join("")}</${cluster}></remote_servers>`;
  const start = (shard: number) =>
    startClickhouseServer(join(folder, String(shard)), { port: ports[shard] ?? 0, config });
  const servers: ClickhouseServer[] = await Promise.all(ports.map((_, shard) => start(shard)));
  t.after(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    rmSync(folder, { recursive: true });
  });
  return {
    cluster,
    urls: (database) => servers.map((server) => server.url(database)).join(","),
    kill: async (shard) => servers[shard]?.kill(),
    restart: async (shard) => {
      servers[shard] = await start(shard);
    },
  };
}
