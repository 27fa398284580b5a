import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { until } from "../until.ts";
import { freePort } from "./free-port.ts";

/** A Redis of our own, over one folder, on the loopback address. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  /** The address of one of its databases. */
  readonly url: (database?: number) => string;
  /** Stops, and saves what it holds when the options say so. */
  readonly stop: () => Promise<void>;
  /** `kill -9`, as a machine that loses power. */
  readonly kill: () => Promise<void>;
}

/** How a server is started. */
export interface RedisServerOptions {
  /** A free one when omitted; the same one to start a stopped server again. */
  readonly port?: number;
  /** Whether what is written outlives the process (an append-only file); else all is forgotten. */
  readonly isDurable?: boolean;
}

const host = "127.0.0.1";
/** So that each test can have its own. */
const databases = 1_000;

/**
 * The server is the child of a shell that reads standard input: when this process ends, however it
 * does, the shell reads the end and stops the server.
 */
const untilInputEnds = '"$@" & server=$!; cat; kill -TERM $server; wait $server';

/** Starts Debian's redis-server. @throws when it is not installed, or does not get ready. */
export async function startRedisServer(
  folder: string,
  { port, isDurable = false }: RedisServerOptions = {},
): Promise<RedisServer> {
  const listening = port ?? (await freePort());
  const settings = {
    bind: host,
    port: listening,
    databases,
    save: "",
    dir: folder,
    pidfile: join(folder, "redis.pid"),
    loglevel: "warning",
    appendonly: isDurable ? "yes" : "no",
    appendfsync: "always",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const command = ["redis-server", ...flags];
  const shell = spawn("sh", ["-c", untilInputEnds, "sh", ...command], {
    stdio: ["pipe", "ignore", "ignore"],
  });
  const exited = once(shell, "exit");
  const stop = async () => {
    shell.stdin.end();
    await exited;
  };
  const url = (database = 0) => `redis://${host}:${listening}/${database}`;
  try {
    await ready(url(), shell);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    host,
    port: listening,
    url,
    stop,
    kill: async () => {
      process.kill(Number(readFileSync(settings.pidfile, "utf8")), "SIGKILL");
      await stop();
    },
  };
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  await until("Redis accepts connections", async () => {
    if (server.exitCode !== null) throw new Error("redis-server ended before it was ready");
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
    client.on("error", () => undefined); // the next attempt follows
    try {
      await client.connect();
      return await client.ping();
    } catch {
      return null;
    } finally {
      client.disconnect();
    }
  });
}
