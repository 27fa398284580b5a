import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import type { CallsOfDay } from "./redis-counts.ts";
import { UnsavedCalls } from "./unsaved-calls.ts";

const accountId = "0b9ae1d9-0a40-5b4c-8a3d-1c53a3c9a001";

const called = (keyId: string) => ({
  accountId,
  call: { keyId, ratePerSecond: null, dailyQuota: 9 },
  counted: { refusedBy: null, rate: null, day: { day: 1, remaining: 5, resetSeconds: 60 } },
});

/** The calls that a node added to Redis, and a hook that runs before each reply. */
function telling(meanwhile: (unsaved: UnsavedCalls, told: number) => void) {
  const told: (readonly [keyId: string, lastAtUs: number])[] = [];
  const unsaved: UnsavedCalls = new UnsavedCalls({
    store: { usage: async () => 0, addUsage: async () => [] },
    counts: {
      addCalls: async ({ keyId }: CallsOfDay, lastAtUs: number) => {
        told.push([keyId, lastAtUs]);
        meanwhile(unsaved, told.length);
      },
    },
    clock: new HeldClock(),
  });
  return { unsaved, told };
}

test("calls counted without Redis are added as of the time before them", async () => {
  // Redis came back without its data: a count that begins now was loaded with all of them.
  const { unsaved, told } = telling((calls) => calls.add(called("third"), 2_000));
  unsaved.add(called("first"), 1_000);
  for (const keyId of ["first", "second"]) unsaved.add(called(keyId), null);
  await unsaved.addToRedis();
  assert.deepEqual(told, [
    ["first", 1_000],
    ["second", 1_000],
  ]);
});

test("calls that could not be added are added later as of the same time", async () => {
  const { unsaved, told } = telling((calls, count) => {
    if (count > 1) return;
    calls.add(called("third"), 2_000);
    throw new Error("Redis is away");
  });
  unsaved.add(called("first"), 1_000);
  unsaved.add(called("first"), null);
  await assert.rejects(unsaved.addToRedis());
  await unsaved.addToRedis();
  assert.deepEqual(told, [
    ["first", 1_000],
    ["first", 1_000],
  ]);
});
