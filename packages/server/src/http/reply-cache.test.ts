import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetrics } from "../platform/metrics.ts";
import { ReplyCache } from "./reply-cache.ts";

const patient = new AbortController().signal;

/** A cache, and how often it had what. */
function openCache(bytesMax: number | "off" = 10_000) {
  const metrics = createMetrics();
  const cache = new ReplyCache(bytesMax, metrics);
  const counts = async () => {
    const { values } = await metrics.replyCache.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
  };
  const bytes = async () => (await metrics.replyCacheBytes.get()).values[0]?.value ?? 0;
  return { cache, counts, bytes };
}

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  let times = 0;
  const signals: AbortSignal[] = [];
  const make = (signal: AbortSignal) => {
    times++;
    signals.push(signal);
    return promise;
  };
  return { make, resolve, reject, signals, times: () => times };
}

test("an equal question is answered from memory, another one is not", async () => {
  const { cache, counts } = openCache();
  const make = (text: string) => async () => Buffer.from(text);
  assert.equal(String(await cache.reply("a", patient, make("first"))), "first");
  assert.equal(String(await cache.reply("a", patient, make("second"))), "first");
  assert.equal(String(await cache.reply("b", patient, make("third"))), "third");
  assert.deepEqual(await counts(), { hit: 1, miss: 2 });
});

test("identical concurrent questions are coalesced and get one reply or error", async () => {
  const { cache, counts } = openCache();
  const work = held();
  const waiting = [1, 2, 3].map(() => cache.reply("a", patient, work.make));
  work.resolve(Buffer.from("one"));
  assert.deepEqual((await Promise.all(waiting)).map(String), ["one", "one", "one"]);
  assert.equal(work.times(), 1);
  assert.deepEqual(await counts(), { miss: 1, joined: 2 });

  const failing = held();
  const failed = [1, 2].map(() => cache.reply("b", patient, failing.make));
  failing.reject(new Error("no"));
  const outcomes = await Promise.allSettled(failed);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  const again = await cache.reply("b", patient, async () => Buffer.from("yes"));
  assert.equal(String(again), "yes");
});

test("who leaves is let go; the work is given up when the last has left", async () => {
  const { cache } = openCache();
  const work = held();
  const [first, second] = [new AbortController(), new AbortController()];
  const gone = new Error("gone");
  const leaves = [first, second].map(({ signal }) =>
    assert.rejects(cache.reply("a", signal, work.make), gone),
  );
  first.abort(gone);
  assert.equal(work.signals[0]?.aborted, false);
  second.abort(gone);
  assert.equal(work.signals[0]?.aborted, true);
  await Promise.all(leaves);
  const anew = held();
  const asked = cache.reply("a", patient, anew.make);
  anew.resolve(Buffer.from("anew"));
  work.resolve(Buffer.from("late"));
  assert.equal(String(await asked), "anew");
});

test("the least recently used are evicted first, and the bytes stay below the bound", async () => {
  const { cache, bytes } = openCache(10_000);
  const thousand = async () => Buffer.alloc(1_800);
  for (const key of ["a", "b", "c", "d", "a", "e", "f"]) await cache.reply(key, patient, thousand);
  assert.ok((await bytes()) <= 10_000);
  let made = 0;
  const counted = async () => {
    made++;
    return Buffer.alloc(1_800);
  };
  await cache.reply("a", patient, counted);
  assert.equal(made, 0);
  await cache.reply("b", patient, counted);
  assert.equal(made, 1);
});

test("a new reply is kept also while all others are asked for", async () => {
  const { cache, bytes, counts } = openCache(10_000);
  const reply = async () => Buffer.alloc(1_800);
  for (const key of ["a", "b", "c", "d", "a", "b", "c", "d"]) {
    await cache.reply(key, patient, reply);
  }
  await cache.reply("e", patient, reply);
  const { hit = 0 } = await counts();
  await cache.reply("e", patient, reply);
  assert.equal((await counts())["hit"], hit + 1);
  assert.ok((await bytes()) <= 10_000);
});

test("a reply that would push out too much is not kept", async () => {
  const { cache, bytes } = openCache(10_000);
  const large = async () => Buffer.alloc(5_000);
  await cache.reply("a", patient, large);
  assert.equal(await bytes(), 0);
});

test("off: every question is worked for, and nothing is kept or counted", async () => {
  const { cache, counts } = openCache("off");
  const work = held();
  const asked = [cache.reply("a", patient, work.make), cache.reply("a", patient, work.make)];
  work.resolve(Buffer.from("one"));
  await Promise.all(asked);
  assert.equal(work.times(), 2);
  assert.deepEqual(await counts(), {});
});
