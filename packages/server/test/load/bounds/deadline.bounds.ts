import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askEndless,
  endlessSeconds,
  openEngine,
  requireAnswer,
} from "@sightline/test-kit/requests/endless-question.ts";

const deadlineMs = endlessSeconds * 1000;
/** From the deadline to the end of the question. */
const interruptedMsMax = 500;

test("an endless question ends half a second after its deadline at the latest", async (t) => {
  const engine = await openEngine(t);
  const started = performance.now();
  const { ended } = await askEndless(t, engine);
  const error = (await ended) as { code: string };
  const ms = Math.round(performance.now() - started);
  t.diagnostic(`ended after ${ms} ms; the deadline is ${deadlineMs} ms`);
  assert.equal(error.code, "deadline_exceeded");
  assert.ok(ms >= deadlineMs - 1 && ms <= deadlineMs + interruptedMsMax);
  await requireAnswer(engine);
});
