import assert from "node:assert/strict";
import { test } from "node:test";
import { heldRedis } from "@sightline/test-kit/engines/held-redis.ts";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import fc from "fast-check";
import { LocalCounts } from "../local-counts.ts";
import { RedisCounts } from "./redis-counts.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";
const none = () => Promise.resolve(0);
const emptyStore = { usage: none, addUsage: async () => [] };

const limits = fc.record({
  ratePerSecond: fc.option(fc.integer({ min: 1, max: 10_000 })),
  dailyQuota: fc.option(fc.integer({ min: 5, max: 30 })),
});
/**
 * Pauses between calls: bursts, the rate's seconds, midnight. Not many days: the memory's doubles
 * are exact for some.
 */
const waits = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 3_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(3_600_000, 43_200_000) },
  ),
  { maxLength: 60 },
);

test("counts as one node's memory does, and waiting Retry-After suffices", async (t) => {
  const { open, setTime } = await heldRedis(t, new HeldClock());
  const { counts } = await open();
  let keys = 0;
  await fc.assert(
    fc.asyncProperty(limits, waits, async (limit, waitsMs) => {
      const clock = new HeldClock();
      const local = new LocalCounts(clock, emptyStore);
      const call = { keyId: `key${++keys}`, ...limit };
      const takeBoth = async () => {
        await setTime(clock);
        const { atUs, ...shared } = await counts.take(accountId, call, none);
        assert.equal(atUs, clock.now() * 1000);
        assert.deepEqual(shared, await local.take(accountId, call));
        return shared;
      };
      for (const ms of waitsMs) {
        clock.advance(ms);
        const { refusedBy, rate, day } = await takeBoth();
        if (refusedBy === null) continue;
        const wait = refusedBy === "day" ? day?.resetSeconds : rate?.retryAfterSeconds;
        clock.advance((wait ?? 0) * 1000);
        assert.notEqual((await takeBoth()).refusedBy, refusedBy);
      }
    }),
    { numRuns: 200 },
  );
});

test("of concurrent calls over two connections exactly the burst is counted", async (t) => {
  const { open } = await heldRedis(t, new HeldClock());
  const nodes = [await open(), await open()];
  const call = { keyId: "key", ratePerSecond: 30, dailyQuota: null };
  const taken = await Promise.all(
    Array.from({ length: 200 }, (_, place) => nodes[place % 2]?.counts.take(accountId, call, none)),
  );
  assert.equal(taken.filter((each) => each?.refusedBy === null).length, 60);
  assert.ok(taken.every((each) => each?.refusedBy === null || each?.rate?.remaining === 0));
});

test("a rate that was changed keeps what was used, by time", async (t) => {
  const clock = new HeldClock();
  const { open, setTime } = await heldRedis(t, clock);
  const { counts } = await open();
  const take = async (ratePerSecond: number) => {
    const call = { keyId: "key", ratePerSecond, dailyQuota: null };
    return (await counts.take(accountId, call, none)).rate?.remaining;
  };
  assert.deepEqual([await take(2), await take(2)], [3, 2]);
  assert.equal(await take(200), 199); // a second's calls of two are used, and this one
  clock.advance(1_000);
  await setTime();
  assert.deepEqual([await take(200), await take(2)], [398, 2]);
});

test("a clock of Redis that steps back blocks a caller no longer than before", async (t) => {
  const clock = new HeldClock();
  const { open, setTime } = await heldRedis(t, clock);
  const { counts } = await open();
  const call = { keyId: "key", ratePerSecond: 1, dailyQuota: null };
  const take = async () => {
    await setTime();
    const { rate } = await counts.take(accountId, call, none);
    return rate?.allowed === true ? "counted" : rate?.retryAfterSeconds;
  };
  assert.deepEqual([await take(), await take(), await take()], ["counted", "counted", 1]);
  clock.step(-3_600_000);
  assert.equal(await take(), 1);
  clock.advance(1_000);
  assert.deepEqual([await take(), await take()], ["counted", 1]);
});

test("a day that Redis does not have is loaded once, and each day by itself", async (t) => {
  const clock = new HeldClock();
  const { open, setTime } = await heldRedis(t, clock);
  const { counts } = await open();
  const today = Math.floor(clock.now() / 86_400_000);
  const loaded: number[] = [];
  const load = async (day: number) => {
    loaded.push(day);
    return day === today ? 7 : 0;
  };
  const call = { keyId: "key", ratePerSecond: null, dailyQuota: 9 };
  const take = async () => (await counts.take(accountId, call, load)).day?.remaining;
  assert.deepEqual([await take(), await take(), await take()], [1, 0, 0]);
  clock.advance(86_400_000);
  await setTime();
  assert.equal(await take(), 8);
  assert.deepEqual(loaded, [today, today + 1]);
});

test("guesses: each takes one of ten, which a found key gives back", async (t) => {
  const clock = new HeldClock();
  const { open, setTime } = await heldRedis(t, clock);
  const nodes = [await open(), await open()];
  const guess = async (place: number) => {
    const counts = nodes[place % 2]?.counts;
    assert.ok(counts);
    return (await counts.takeLookup("192.0.2.1")).allowed;
  };
  const allowed = await Promise.all(Array.from({ length: 40 }, (_, place) => guess(place)));
  assert.equal(allowed.filter(Boolean).length, 10);
  await nodes[0]?.counts.giveLookupBack("192.0.2.1");
  assert.deepEqual([await guess(0), await guess(1)], [true, false]);
  assert.equal((await nodes[0]?.counts.takeLookup("192.0.2.2"))?.remaining, 9);
  clock.advance(6_000);
  await setTime();
  assert.deepEqual([await guess(0), await guess(1)], [true, false]);
});

test("keys expire when they say nothing any more", async (t) => {
  const { open, client } = await heldRedis(t, new HeldClock());
  const counts = new RedisCounts((await open()).link);
  await counts.take(accountId, { keyId: "key", ratePerSecond: 1, dailyQuota: 5 }, none);
  await counts.takeLookup("192.0.2.1");
  const keys = (await client.keys("sightline:*")).toSorted();
  assert.deepEqual(keys, [
    "sightline:guesses:192.0.2.1",
    `sightline:{${accountId}}:key:day`,
    `sightline:{${accountId}}:key:rate`,
  ]);
  const [guesses = 0, day = 0, rate = 0] = await Promise.all(keys.map((key) => client.pttl(key)));
  assert.ok(guesses > 5_000 && guesses <= 7_000, `${guesses}`);
  assert.ok(day > 172_000_000 && day <= 172_800_000, `${day}`);
  assert.ok(rate > 1_000 && rate <= 2_000, `${rate}`);
});
