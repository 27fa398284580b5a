import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SightlineError } from "../src/index.ts";
import {
  exchanging,
  goodReply,
  question,
  refusal,
  type ScriptedReply,
  ScriptedService,
} from "./scripted-service.ts";

const seconds = fc.option(fc.nat(40), { nil: undefined });
const failures: fc.Arbitrary<ScriptedReply> = fc.oneof(
  fc
    .tuple(fc.constantFrom(400, 401, 408, 429, 500, 502, 503, 504), seconds)
    .map(([status, retryAfter]) => refusal(status, "overloaded", retryAfter)),
  seconds.map((retryAfter) => refusal(429, "quota_exhausted", retryAfter)),
  fc.constant<ScriptedReply>("reset"),
  fc.constant<ScriptedReply>({ status: 200, body: "no JSON" }),
);

test("whatever fails, a call ends in time, asks seldom and leaves nothing behind", async (t) => {
  let replies: ScriptedReply[] = [];
  const service = await ScriptedService.start(
    t,
    exchanging(() => replies.shift() ?? goodReply),
  );
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.array(failures, { maxLength: 8 }), chance, async (script, random) => {
      const [sentBefore, startMs] = [service.counts.questions, service.clock.elapsed()];
      replies = [...script];
      service.clock.chance = random;
      const { analytics } = service.client();
      const outcome = await service.run(
        analytics.mentions(question).catch((error: unknown) => error),
      );
      const sent = service.counts.questions - sentBefore;

      // One call, four retries, and one more for a session that was refused.
      assert.ok(sent >= 1 && sent <= 6, `${sent} questions`);
      assert.ok(service.clock.elapsed() - startMs <= 30_000);
      assert.equal(service.clock.timers, 0);
      if (sent > script.length) assert.deepEqual(outcome, goodReply.body);
      else assert.ok(outcome instanceof SightlineError);
    }),
  );
});
