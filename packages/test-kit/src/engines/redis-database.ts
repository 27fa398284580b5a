import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type RedisServer, startRedisServer } from "./redis-server.ts";

let started: Promise<RedisServer> | null = null;
let folder: string | null = null;
let databases = 0;

// Outside of a test: after all tests of the process.
after(async () => {
  await (await started)?.stop();
  if (folder !== null) rmSync(folder, { recursive: true });
});

/** The Redis of this process's tests, started by the first that asks for it. */
export function sharedRedis(): Promise<RedisServer> {
  started ??= startShared();
  return started;
}

/** The address of an empty database on the shared server. */
export async function redisUrl(): Promise<string> {
  return (await sharedRedis()).url(++databases);
}

async function startShared(): Promise<RedisServer> {
  folder = mkdtempSync(join(tmpdir(), "sightline-redis-"));
  return startRedisServer(folder);
}
