import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { backoffMs, backoffMsMax, firstBackoffMs } from "./calls.ts";

test("a wait is whole, never shorter than Retry-After nor longer than the bound after it", () => {
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const seconds = fc.option(fc.nat(100_000), { nil: undefined });
  fc.assert(
    fc.property(fc.nat(2_000), seconds, chance, (retries, retryAfter, random) => {
      const leastMs = (retryAfter ?? 0) * 1_000;
      const waitMs = backoffMs(retries, retryAfter, random);
      assert.ok(Number.isInteger(waitMs), `${waitMs} ms`);
      assert.ok(waitMs >= leastMs);
      assert.ok(waitMs <= leastMs + Math.min(backoffMsMax, firstBackoffMs * 2 ** retries));
    }),
    { numRuns: 1_000 },
  );
});

test("the jitter is full: from nothing to the bound, which doubles up to its end", () => {
  const bounds = [0, 1, 2, 3, 4, 5, 50].map((retries) => backoffMs(retries, undefined, 1));
  assert.deepEqual(bounds, [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  assert.equal(backoffMs(3, undefined, 0), 0);
});
