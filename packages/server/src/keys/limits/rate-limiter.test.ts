import assert from "node:assert/strict";
import { test } from "node:test";
import { HeldClock } from "@sightline/test-kit/held-clock.ts";
import fc from "fast-check";
import { RateLimiter } from "./rate-limiter.ts";

const rate = { calls: 20, perMs: 1000, burst: 40 };

test("a burst of twice the rate, then the rate", () => {
  const clock = new HeldClock();
  const limiter = new RateLimiter(clock);
  const allowedNow = () => {
    let allowed = 0;
    while (limiter.take("key", rate).allowed) allowed++;
    return allowed;
  };
  assert.equal(allowedNow(), 40);
  clock.advance(1000);
  assert.equal(allowedNow(), 20);
  clock.advance(50);
  assert.equal(allowedNow(), 1);
  clock.advance(60_000);
  assert.equal(allowedNow(), 40);
});

test("the verdict counts down and says when all is back", () => {
  const limiter = new RateLimiter(new HeldClock());
  const small = { calls: 1, perMs: 1000, burst: 2 };
  assert.deepEqual(
    [limiter.take("key", small), limiter.take("key", small), limiter.take("key", small)],
    [
      { allowed: true, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 },
      { allowed: true, remaining: 0, resetSeconds: 2, retryAfterSeconds: 0 },
      { allowed: false, remaining: 0, resetSeconds: 2, retryAfterSeconds: 1 },
    ],
  );
});

test("one caller's calls are not another's", () => {
  const limiter = new RateLimiter(new HeldClock());
  const one = { calls: 1, perMs: 1000, burst: 1 };
  assert.equal(limiter.take("a", one).allowed, true);
  assert.equal(limiter.take("a", one).allowed, false);
  assert.equal(limiter.take("b", one).allowed, true);
});

test("a step of the wall clock changes nothing", () => {
  const clock = new HeldClock();
  const limiter = new RateLimiter(clock);
  const one = { calls: 1, perMs: 1000, burst: 1 };
  limiter.take("key", one);
  for (const step of [-3_600_000, 7_200_000]) {
    clock.step(step);
    assert.equal(limiter.take("key", one).allowed, false);
  }
  clock.advance(1000);
  assert.equal(limiter.take("key", one).allowed, true);
});

test("never more than burst + rate x time; waiting Retry-After always suffices", () => {
  const rates = fc.record({
    calls: fc.integer({ min: 1, max: 100 }),
    perMs: fc.constantFrom(1000, 60_000),
    burst: fc.integer({ min: 1, max: 200 }),
  });
  const waits = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 300 });
  fc.assert(
    fc.property(rates, waits, (anyRate, waitsMs) => {
      const clock = new HeldClock();
      const limiter = new RateLimiter(clock);
      let allowed = 0;
      for (const ms of waitsMs) {
        clock.advance(ms);
        const verdict = limiter.take("key", anyRate);
        if (verdict.allowed) allowed++;
        else {
          clock.advance(verdict.retryAfterSeconds * 1000);
          assert.equal(limiter.take("key", anyRate).allowed, true);
          allowed++;
        }
      }
      const most = anyRate.burst + (clock.elapsed() * anyRate.calls) / anyRate.perMs;
      assert.ok(allowed <= most + 1e-6, `${allowed} allowed, at most ${most}`);
    }),
  );
});
