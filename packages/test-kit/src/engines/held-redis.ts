import type { TestContext } from "node:test";
import { Redis } from "ioredis";
import { RedisCounts } from "../../../server/src/keys/limits/redis/redis-counts.ts";
import { RedisLink } from "../../../server/src/keys/limits/redis/redis-link.ts";
import { scriptsOver } from "../../../server/src/keys/limits/redis/scripts.ts";
import type { HeldClock } from "../held-clock.ts";
import { recordedLog } from "../recorded-log.ts";
import { redisUrl } from "./redis-database.ts";

/** The scripts over a clock that the test keeps in Redis, in microseconds. */
const heldScripts = scriptsOver({
  time: '{ 0, redis.call("GET", "held-clock") }',
  keptMs: 600_000, // keys expire by Redis's own clock
});

/** Counts in a database of their own, over the clock of the test. */
export async function heldRedis(t: TestContext, clock: HeldClock) {
  const url = await redisUrl();
  const client = new Redis(url);
  t.after(() => client.disconnect());
  /** Takes over the time of the clock, or of another; to be called before counting. */
  const setTime = (other = clock) => client.set("held-clock", other.now() * 1000);
  const open = async () => {
    const options = { url, logger: recordedLog().logger, onChange: () => undefined };
    const link = await RedisLink.open(options);
    t.after(() => link.close());
    return { link, counts: new RedisCounts(link, heldScripts) };
  };
  await setTime();
  return { client, setTime, open };
}
