import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { failureClasses } from "./adapter.ts";
import { attemptsMax, failureOutcome, retryDelayMs } from "./job-outcome.ts";

const random = fc.double({ min: 0, max: 0.999_999, noNaN: true });
const wait = fc.integer({ min: 0, max: 86_400_000 });

test("an attempt follows no earlier than the vendor, its circuit and the delay allow", () => {
  const drawn = fc.record({
    failureClass: fc.constantFrom(...failureClasses),
    afterMs: fc.option(wait),
    attempts: fc.nat({ max: attemptsMax }),
    leftMs: wait,
  });
  const property = fc.property(
    drawn,
    fc.record({ now: wait, notBefore: wait, random }),
    ({ failureClass, afterMs, attempts, leftMs }, at) => {
      const failure = { class: failureClass, reason: "r", afterMs };
      const deadline = at.now + leftMs;
      const outcome = failureOutcome(failure, { attempts, deadline }, at);
      const isFinal = failureClass === "give-up" || failureClass === "stop-part";
      const isLast = isFinal || attempts + 1 >= attemptsMax;
      if (outcome.state === "failed") {
        const earliest = Math.max(at.now + 2_000, at.now + (afterMs ?? 0), at.notBefore);
        const isNextDay = failureClass === "stop-account";
        const delayMs = retryDelayMs(attempts + 1, at.random);
        assert.ok(isLast || isNextDay || Math.max(earliest, at.now + delayMs) > deadline - 2);
        return;
      }
      assert.ok(!isLast);
      assert.ok(outcome.nextAt < deadline && outcome.nextAt >= at.notBefore);
      assert.ok(outcome.nextAt >= at.now + Math.max(2_000, afterMs ?? 0));
    },
  );
  fc.assert(property, { numRuns: 1_000 });
});

test("delays double, differ by up to half, and end at seven and a half minutes", () => {
  assert.deepEqual(
    [1, 2, 3, 9, 60].map((tries) => [retryDelayMs(tries, 0), retryDelayMs(tries, 1)]),
    [
      [2_000, 3_000],
      [4_000, 6_000],
      [8_000, 12_000],
      [300_000, 450_000],
      [300_000, 450_000],
    ],
  );
});
