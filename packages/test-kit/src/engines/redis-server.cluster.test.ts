import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { Redis } from "ioredis";
import { temporaryFolder } from "../test-service.ts";
import { redisUrl } from "./redis-database.ts";
import { type RedisServerOptions, startRedisServer } from "./redis-server.ts";

async function withClient<Result>(url: string, work: (client: Redis) => Promise<Result>) {
  const client = new Redis(url);
  client.on("error", () => undefined);
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

function folderOf(t: TestContext): string {
  const folder = temporaryFolder();
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function wordAfterKill(t: TestContext, options: RedisServerOptions) {
  const folder = folderOf(t);
  const first = await startRedisServer(folder, options);
  await withClient(first.url(), (client) => client.set("word", "kept"));
  await first.kill();
  const second = await startRedisServer(folder, { ...options, port: first.port });
  t.after(second.stop);
  assert.equal(second.url(), first.url());
  return withClient(second.url(), (client) => client.get("word"));
}

test("a killed server starts again on its port, empty or with what it held", async (t) => {
  assert.equal(await wordAfterKill(t, {}), null);
  assert.equal(await wordAfterKill(t, { isDurable: true }), "kept");
});

test("tests share a server and have databases of their own", async () => {
  const [one, other] = [await redisUrl(), await redisUrl()];
  assert.equal(new URL(one).host, new URL(other).host);
  await withClient(one, (client) => client.set("word", "mine"));
  assert.equal(await withClient(other, (client) => client.get("word")), null);
});
