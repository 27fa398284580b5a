import assert from "node:assert/strict";
import { test } from "node:test";
import { redisUrl } from "@sightline/test-kit/engines/redis-database.ts";
import { recordedLog } from "@sightline/test-kit/recorded-log.ts";
import { until } from "@sightline/test-kit/until.ts";
import { Redis } from "ioredis";
import { RedisCounts } from "./redis-counts.ts";
import { RedisAwayError, RedisLink } from "./redis-link.ts";

test("a Redis that takes no writes is away until it does, and that is said once", async (t) => {
  const url = await redisUrl();
  const operator = new Redis(url);
  t.after(() => operator.disconnect());
  const changes: boolean[] = [];
  const { logger, lines } = recordedLog();
  const onChange = (isUp: boolean) => void changes.push(isUp);
  const link = await RedisLink.open({ url, logger, onChange });
  t.after(() => link.close());
  const counts = new RedisCounts(link);
  const take = () =>
    counts.take("account", { keyId: "key", ratePerSecond: 5, dailyQuota: null }, async () => 0);
  await take();
  const connections = async () =>
    Number(/total_connections_received:(\d+)/.exec(await operator.info("stats"))?.[1]);

  await operator.config("SET", "maxmemory", "1"); // full, as far as it knows
  await assert.rejects(take(), RedisAwayError);
  const before = await connections();
  await until("two attempts to connect", async () =>
    (await connections()) >= before + 2 ? true : null,
  );
  await assert.rejects(take(), RedisAwayError);
  assert.deepEqual(changes, [true, false]);

  await operator.config("SET", "maxmemory", "0");
  await until("it counts again", () => (link.isUp ? true : null));
  await take();
  assert.deepEqual(changes, [true, false, true]);
  assert.equal(lines.length, 3);
});
