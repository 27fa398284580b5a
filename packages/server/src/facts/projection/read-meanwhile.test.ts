import assert from "node:assert/strict";
import { test } from "node:test";
import { readMeanwhile } from "./read-meanwhile.ts";

test("looks until there is something, while the work goes on", async () => {
  let looks = 0;
  const read = async () => (++looks < 3 ? null : looks);
  assert.equal(await readMeanwhile(read, new Promise(() => undefined)), 3);
});

test("what comes while the work ends is found", async () => {
  const work = Promise.withResolvers<void>();
  let there = false;
  const read = async () => {
    if (there) return "next";
    queueMicrotask(() => {
      there = true;
      work.resolve();
    });
    return null;
  };
  assert.equal(await readMeanwhile(read, work.promise), "next");
});

test("gives up after a look behind the end of the work", async () => {
  const work = Promise.withResolvers<void>();
  const looks: string[] = [];
  let ended = false;
  const read = async () => {
    looks.push(ended ? "after" : "before");
    ended = true;
    work.resolve();
    return null;
  };
  assert.equal(await readMeanwhile(read, work.promise), null);
  assert.deepEqual(looks, ["before", "after"]);
});

test("work that fails is over too, and its error is not its own", async () => {
  const work = Promise.reject(new Error("the disk is full"));
  assert.equal(await readMeanwhile(async () => null, work), null);
  await assert.rejects(work, /disk is full/);
});
