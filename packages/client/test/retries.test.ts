import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ApiError,
  ConnectionError,
  InternalError,
  NotFoundError,
  OverloadedError,
  QuotaExhaustedError,
  RateLimitError,
  type Sightline,
  SightlineError,
} from "../src/index.ts";
import {
  exchanging,
  goodReply,
  question,
  refusal,
  rejection,
  type ScriptedReply,
  ScriptedService,
} from "./scripted-service.ts";

/** A service that replies to questions with these in turn, and well when there are no more. */
async function inTurn(
  t: Parameters<typeof ScriptedService.start>[0],
  ...replies: readonly ScriptedReply[]
): Promise<ScriptedService> {
  const left = [...replies];
  return ScriptedService.start(
    t,
    exchanging(() => left.shift() ?? goodReply),
  );
}

const passing: Readonly<Record<string, ScriptedReply>> = {
  "408": refusal(408, "request_timeout"),
  "429": refusal(429, "rate_limited", 1),
  "503": refusal(503, "overloaded", 1),
  "a proxy's 502": { status: 502, body: "<html>Bad gateway</html>" },
  "a proxy's 504": { status: 504, body: "" },
  "a connection that breaks": "reset",
};
for (const [what, reply] of Object.entries(passing)) {
  test(`${what} is retried four times`, async (t) => {
    const service = await inTurn(t, reply, reply, reply, reply);
    const { analytics } = service.client();

    assert.deepEqual(await service.run(analytics.mentions(question)), goodReply.body);
    assert.deepEqual(service.counts, { exchanges: 1, questions: 5 });
  });
}

/** Calls that must not be done twice. */
const onceOnly: Readonly<Record<string, (client: Sightline) => Promise<unknown>>> = {
  "the creation of a key": (client) => client.keys.create({ name: "a" }),
  "a change of a workspace with a tag": (client) =>
    client.applyWorkspace("account: A", { ifMatch: '"1"' }),
};
for (const [what, call] of Object.entries(onceOnly)) {
  test(`${what} is retried only when it was refused before any work`, async (t) => {
    for (const [failure, reply] of Object.entries(passing)) {
      const service = await inTurn(t, reply);
      const isRefused = failure === "429";
      const outcome = service.run(call(service.client()));
      if (isRefused) await outcome;
      else assert.ok((await rejection(outcome)) instanceof SightlineError, failure);
      assert.deepEqual(service.counts, { exchanges: 1, questions: isRefused ? 2 : 1 }, failure);
    }
  });
}

test("a deletion whose reply was lost is one, though its retry finds nothing", async (t) => {
  const gone = refusal(404, "not_found");
  const id = "3f2a9c1e-5b7d-4e8a-9c0f-1d2e3f4a5b6c";
  for (const [what, lost] of Object.entries(passing)) {
    const service = await inTurn(t, lost, gone);
    const outcome = service.run(service.client().hooks.delete(id));
    if (what === "429") assert.ok((await rejection(outcome)) instanceof NotFoundError, what);
    else assert.equal(await outcome, null, what);
  }
  const service = await inTurn(t, gone);
  const error = await rejection(service.run(service.client().hooks.delete(id)));
  assert.ok(error instanceof NotFoundError);
  const reset = await inTurn(t, "reset", gone);
  const unknown = await rejection(reset.run(reset.client().answers.get(id)));
  assert.ok(unknown instanceof NotFoundError, "what only reads has found nothing");
});

test("after the last retry the last failure is thrown", async (t) => {
  const replies = [1, 2, 3, 4, 5].map(() => refusal(503, "overloaded", 1));
  const service = await inTurn(t, ...replies);
  const error = await rejection(service.run(service.client().analytics.mentions(question)));

  assert.ok(error instanceof OverloadedError);
  assert.equal(error.retryAfter, 1);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 5 });
});

test("retriesMax is how often", async (t) => {
  const service = await inTurn(t, "reset", "reset");
  const { analytics } = service.client({ retriesMax: 1 });
  const error = await rejection(service.run(analytics.mentions(question)));

  assert.ok(error instanceof ConnectionError);
  assert.match(error.message, /^No reply from http:\S+\/mentions: (ECONNRESET|UND_ERR_SOCKET)\.$/);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 2 });
});

test("a mistake of the service is retried once", async (t) => {
  const mistake = refusal(500, "internal_error");
  const service = await inTurn(t, mistake, mistake);
  const error = await rejection(service.run(service.client().analytics.mentions(question)));

  assert.ok(error instanceof InternalError);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 2 });
});

for (const status of [400, 404, 405, 413, 415, 431, 501]) {
  test(`${status} is not retried`, async (t) => {
    const service = await inTurn(t, refusal(status, "not_found"));
    const error = await rejection(service.run(service.client().workspace()));

    assert.ok(error instanceof ApiError);
    assert.equal(error.status, status);
    assert.deepEqual(service.counts, { exchanges: 1, questions: 1 });
  });
}

test("a quota that is used up is not retried; retryAfter leads to the next day", async (t) => {
  const service = await inTurn(t, refusal(429, "quota_exhausted", 43_200));
  const error = await rejection(service.run(service.client().analytics.mentions(question)));

  assert.ok(error instanceof QuotaExhaustedError);
  const { code, retryAfter } = error;
  assert.deepEqual({ code, retryAfter }, { code: "quota_exhausted", retryAfter: 43_200 });
  assert.deepEqual(service.counts, { exchanges: 1, questions: 1 });
  assert.equal(service.clock.elapsed(), 0);
});

test("Retry-After is the least that is waited", async (t) => {
  for (const chance of [0, 0.999]) {
    const service = await inTurn(t, refusal(429, "rate_limited", 7));
    service.clock.chance = chance;
    await service.run(service.client().analytics.mentions(question));
    const waitedMs = service.clock.elapsed();
    assert.ok(waitedMs >= 7_000 && waitedMs <= 7_500, `waited ${waitedMs} ms`);
  }
});

test("Retry-After may be a date, which is read by the service's own clock", async (t) => {
  const headers = {
    date: "Wed, 01 Jan 2020 00:00:00 GMT",
    "retry-after": "Wed, 01 Jan 2020 00:00:09 GMT",
  };
  const service = await inTurn(t, { status: 503, body: "", headers });
  service.clock.chance = 0;
  await service.run(service.client().analytics.mentions(question));

  assert.equal(service.clock.elapsed(), 9_000);
});

test("without Retry-After the bound of the wait doubles", async (t) => {
  const service = await inTurn(t, "reset", "reset", "reset", "reset");
  service.clock.chance = 1;
  await service.run(service.client().analytics.mentions(question));

  assert.equal(service.clock.elapsed(), 500 + 1_000 + 2_000 + 4_000);
});

test("a wait that the call has no time for is not begun", async (t) => {
  const service = await inTurn(t, refusal(429, "rate_limited", 31));
  const { analytics } = service.client();
  const error = await rejection(service.run(analytics.mentions(question)));

  assert.ok(error instanceof RateLimitError);
  assert.equal(error.retryAfter, 31);
  assert.equal(service.clock.elapsed(), 0);
  assert.equal(service.clock.timers, 0);
  assert.deepEqual(await service.run(analytics.mentions(question)), goodReply.body);
});
