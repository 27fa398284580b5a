import assert from "node:assert/strict";
import { test } from "node:test";
import type { Clock } from "../src/index.ts";
import {
  exchangePath,
  goodReply,
  newSession,
  question,
  refusal,
  type Script,
  ScriptedService,
} from "./scripted-service.ts";

/** Lets so many calls a second through, and twice as many after a pause, as the service does. */
function rateLimit(clock: () => Clock, perSecond: number): () => number | null {
  const burst = perSecond * 2;
  let left = burst;
  let lastMs = 0;
  return () => {
    const nowMs = clock().elapsed();
    left = Math.min(burst, left + ((nowMs - lastMs) * perSecond) / 1_000);
    lastMs = nowMs;
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / perSecond));
    left--;
    return null;
  };
}

/** A number of concurrent calls, then as many in sequence. @returns requests / necessary ones. */
async function spent(service: ScriptedService, calls: number): Promise<number> {
  const { analytics } = service.client({ timeoutMs: 600_000 });
  const asked = Array.from({ length: calls }, () => analytics.mentions(question));
  const replies = await service.run(Promise.all(asked));
  for (let call = 0; call < calls; call++) {
    replies.push(await service.run(analytics.mentions(question)));
  }
  assert.ok(replies.every((reply) => "series" in reply));
  return service.requests.length / (2 * calls + 1);
}

test("under a rate the client spends at most 1.2 times the needed requests", async (t) => {
  let service: ScriptedService | undefined;
  const verdict = rateLimit(() => must(service).clock, 20);
  service = await ScriptedService.start(t, ({ path }) => {
    const retryAfter = verdict();
    if (retryAfter !== null) return refusal(429, "rate_limited", retryAfter);
    return path === exchangePath ? newSession() : goodReply;
  });
  const ratio = await spent(service, 100);

  assert.ok(ratio <= 1.2, `${ratio} times the needed`);
});

test("with revoked sessions, a rate and overload it is at most 1.2 times too", async (t) => {
  let service: ScriptedService | undefined;
  const verdict = rateLimit(() => must(service).clock, 20);
  let [asked, session] = [0, ""];
  const script: Script = ({ path, token }) => {
    const retryAfter = verdict();
    if (retryAfter !== null) return refusal(429, "rate_limited", retryAfter);
    if (path === exchangePath) {
      const reply = newSession();
      session = reply.body.sessionJwt;
      return reply;
    }
    if (token !== session) return refusal(401, "session_invalid");
    asked++;
    if (asked % 120 === 0) session = "";
    if (asked % 40 === 7) return refusal(503, "overloaded", 1);
    return goodReply;
  };
  service = await ScriptedService.start(t, script);
  const ratio = await spent(service, 250);

  assert.ok(ratio <= 1.2, `${ratio} times the needed`);
});

test("at most eight requests are in progress", async (t) => {
  const service = await ScriptedService.start(t, ({ path }) =>
    path === exchangePath ? newSession() : goodReply,
  );
  const { analytics } = service.client();
  await service.run(Promise.all(Array.from({ length: 50 }, () => analytics.mentions(question))));

  assert.equal(service.parallel, 8);
});

function must<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error("the service is not started yet");
  return value;
}
