import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { ForbiddenError, OverloadedError, TimeoutError } from "../src/index.ts";
import {
  exchangePath,
  exchanging,
  goodReply,
  newSession,
  question,
  refusal,
  rejection,
  ScriptedService,
} from "./scripted-service.ts";

test("a call that gets no reply ends when its time is over", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => "silence"),
  );
  const { analytics } = service.client({ timeoutMs: 1_000 });
  const asked = rejection(analytics.mentions(question));
  await service.arrived(2);
  service.clock.advance(999);
  assert.equal(service.clock.timers, 1);
  service.clock.advance(1);
  const error = await asked;

  assert.ok(error instanceof TimeoutError);
  assert.equal(error.message, "No reply within 1000 ms.");
  assert.equal(error.timeoutMs, 1_000);
  assert.equal(service.clock.timers, 0);
});

test("a call may have a time of its own; the exchange counts in it", async (t) => {
  const service = await ScriptedService.start(t, () => "silence");
  const asked = rejection(service.client().analytics.rank(question, { timeoutMs: 50 }));
  await service.arrived(1);
  service.clock.advance(50);
  const error = await asked;

  assert.ok(error instanceof TimeoutError);
  assert.equal(error.timeoutMs, 50);
});

test("a time-out after failures names the last one", async (t) => {
  let asked = 0;
  const service = await ScriptedService.start(
    t,
    exchanging(() => {
      asked++;
      return asked === 1 ? refusal(503, "overloaded", 1) : "silence";
    }),
  );
  service.clock.chance = 0;
  const call = rejection(service.client().analytics.mentions(question));
  await service.arrived(2);
  // The wait of a second, then the rest of the thirty.
  const ended = service.run(call);
  await service.arrived(3);
  service.clock.advance(29_000);
  const error = await ended;

  assert.ok(error instanceof TimeoutError);
  assert.ok(error.cause instanceof OverloadedError);
});

test("a call aborted while it waits for its reply rejects with the signal's reason", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => "silence"),
  );
  const leaving = new AbortController();
  const asked = rejection(service.client().workspace({ signal: leaving.signal }));
  await service.arrived(2);
  leaving.abort();

  assert.equal(await asked, leaving.signal.reason);
  assert.equal(service.clock.timers, 0);
});

test("an aborted call ends its wait before a retry", async (t) => {
  const leaving = new AbortController();
  const service = await ScriptedService.start(
    t,
    exchanging(() => refusal(503, "overloaded", 20)),
  );
  const { analytics } = service.client();
  const asked = rejection(analytics.mentions(question, { signal: leaving.signal }));
  await service.arrived(2);
  // Its deadline, and the wait: nothing else can be set.
  while (service.clock.timers < 2) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort(new Error("enough"));

  assert.deepEqual(await asked, new Error("enough"));
  assert.equal(service.clock.timers, 0);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 1 });
});

test("an aborted call leaves the line, and those behind it move up", async (t) => {
  const leaving = new AbortController();
  const service = await ScriptedService.start(t, ({ path }) =>
    path === exchangePath ? newSession() : "silence",
  );
  const { analytics } = service.client();
  const first = Array.from({ length: 8 }, () =>
    rejection(analytics.mentions(question, { timeoutMs: 10 })),
  );
  await service.arrived(9);
  const waiting = Array.from({ length: 5 }, () =>
    rejection(analytics.mentions(question, { signal: leaving.signal })),
  );
  const last = rejection(analytics.rank(question, { timeoutMs: 20 }));
  leaving.abort("left");

  assert.deepEqual(await Promise.all(waiting), Array(5).fill("left"));
  service.clock.advance(10);
  assert.ok((await Promise.all(first)).every((error) => error instanceof TimeoutError));
  await service.arrived(10);
  assert.equal(service.requests.at(-1)?.path, "/v1/analytics/brands/rank");
  service.clock.advance(10);
  assert.ok((await last) instanceof TimeoutError);
  assert.equal(service.clock.timers, 0);
});

test("a call whose signal is aborted already sends nothing", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => goodReply),
  );
  const signal = AbortSignal.abort(new Error("before"));
  const { analytics } = service.client();

  assert.deepEqual(await rejection(analytics.mentions(question, { signal })), new Error("before"));
  assert.deepEqual(service.requests, []);
});

test("a signal is released when its call is over", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => goodReply),
  );
  const signal = new AbortController().signal;
  let listening = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...given: Parameters<typeof addEventListener>) => {
    listening++;
    addEventListener.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof removeEventListener>) => {
    listening--;
    removeEventListener.apply(signal, given);
  };
  await service.run(service.client().workspace({ signal }));

  assert.equal(listening, 0);
  assert.equal(service.clock.timers, 0);
});

test("an import is cancelled while it waits for its lines", async (t) => {
  const service = await ScriptedService.start(t, () => goodReply);
  const caller = new AbortController();
  async function* lines(): AsyncGenerator<string> {
    yield "{}\n";
    setImmediate(() => caller.abort("left"));
    await new Promise(() => undefined);
  }
  const given = { signal: caller.signal };
  const asked = rejection(service.client().answers.import(lines(), given));
  assert.equal(await asked, "left");
  assert.deepEqual(service.counts, { exchanges: 0, questions: 0 });
});

test("an import that fails closes the stream that its lines come from", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => refusal(403, "scope_missing")),
  );
  const { signal } = new AbortController();
  const lines = Readable.from(["{}\n".repeat(2_000), "{}\n"]);
  lines.on("error", () => undefined); // it says that it was closed before its end
  const closed = new Promise((resolve) => lines.once("close", resolve));
  const asked = rejection(service.client().answers.import(lines, { signal }));
  assert.ok((await service.run(asked)) instanceof ForbiddenError);
  await closed;
});
