import assert from "node:assert/strict";
import { test } from "node:test";
import { UnauthorizedError, UnexpectedReplyError } from "../src/index.ts";
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

const refused = refusal(401, "session_invalid");

test("100 parallel calls make one exchange, with the key, and send the session", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => goodReply),
  );
  const { analytics } = service.client();
  const calls = Array.from({ length: 100 }, () => analytics.mentions(question));
  await service.run(Promise.all(calls));

  assert.deepEqual(service.counts, { exchanges: 1, questions: 100 });
  const [exchange, ...others] = service.requests;
  assert.deepEqual(exchange, { method: "POST", path: exchangePath, token: "a-key", body: "" });
  const tokens = new Set(others.map(({ token }) => token));
  assert.equal(tokens.size, 1);
  assert.ok(!tokens.has("a-key"));
});

test("a session is used until 80 % of its life", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => goodReply),
  );
  const { analytics } = service.client();
  await service.run(analytics.mentions(question));
  service.clock.advance(479_999);
  await service.run(analytics.rank(question));
  assert.deepEqual(service.counts, { exchanges: 1, questions: 2 });

  service.clock.advance(1);
  await service.run(analytics.rank(question));
  assert.deepEqual(service.counts, { exchanges: 2, questions: 3 });
});

test("a token that does not tell its life is used until it is refused", async (t) => {
  const service = await ScriptedService.start(t, ({ path }) =>
    path === exchangePath ? { status: 200, body: { sessionJwt: "opaque" } } : goodReply,
  );
  const { analytics } = service.client();
  await service.run(analytics.mentions(question));
  service.clock.advance(1e12);
  await service.run(analytics.mentions(question));

  assert.deepEqual(service.counts, { exchanges: 1, questions: 2 });
});

test("a refused session is exchanged anew, once, and the call sent again", async (t) => {
  const good = new Set<string>();
  const service = await ScriptedService.start(t, ({ path, token }) => {
    if (path !== exchangePath) return good.has(token) ? goodReply : refused;
    const reply = newSession();
    good.add(reply.body.sessionJwt);
    return reply;
  });
  const { analytics } = service.client();
  await service.run(analytics.mentions(question));
  good.clear();
  const calls = Array.from({ length: 100 }, () => analytics.mentions(question));
  await service.run(Promise.all(calls));

  const { exchanges, questions } = service.counts;
  assert.equal(exchanges, 2);
  assert.ok(questions <= 1 + 100 + 8, `${questions} questions`);
});

test("a call whose new session is refused too is refused", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => refused),
  );
  const error = await rejection(service.run(service.client().analytics.mentions(question)));

  assert.ok(error instanceof UnauthorizedError);
  assert.deepEqual(service.counts, { exchanges: 2, questions: 2 });
});

test("a key that is refused is told to all who wait for its session", async (t) => {
  const service = await ScriptedService.start(t, () => refusal(401, "key_invalid"));
  const { analytics } = service.client();
  const calls = Array.from({ length: 100 }, () => rejection(analytics.mentions(question)));
  const errors = await service.run(Promise.all(calls));

  assert.ok(errors.every((error) => error instanceof UnauthorizedError));
  assert.deepEqual(service.counts, { exchanges: 1, questions: 0 });
});

test("a given session is sent as it is, and its refusal thrown", async (t) => {
  let good = true;
  const service = await ScriptedService.start(t, () => (good ? goodReply : refused));
  const { analytics } = service.client({ session: "given" });
  await service.run(analytics.mentions(question));
  good = false;
  const error = await rejection(service.run(analytics.mentions(question)));

  assert.ok(error instanceof UnauthorizedError);
  assert.deepEqual(service.counts, { exchanges: 0, questions: 2 });
  assert.deepEqual(
    service.requests.map(({ token }) => token),
    ["given", "given"],
  );
});

test("a session may come from a function, which is asked as an exchange would be", async (t) => {
  let asked = 0;
  let good = "";
  const service = await ScriptedService.start(t, ({ token }) =>
    token === good ? goodReply : refused,
  );
  const session = async (): Promise<string> => {
    asked++;
    good = newSession().body.sessionJwt;
    return good;
  };
  const { analytics } = service.client({ session });
  await service.run(analytics.mentions(question));
  service.clock.advance(480_000);
  await service.run(analytics.mentions(question));
  good = "revoked";
  await service.run(Promise.all([analytics.mentions(question), analytics.rank(question)]));

  assert.equal(asked, 3);
  assert.deepEqual(service.counts, { exchanges: 0, questions: 6 });
});

test("what a session's function throws is thrown", async (t) => {
  const service = await ScriptedService.start(t, () => goodReply);
  const session = () => Promise.reject(new Error("logged out"));
  const { analytics } = service.client({ session });

  assert.deepEqual(
    await rejection(service.run(analytics.mentions(question))),
    new Error("logged out"),
  );
  assert.deepEqual(service.requests, []);
});

test("an exchange that is refused for the moment is made again", async (t) => {
  let asked = 0;
  const service = await ScriptedService.start(t, ({ path }) => {
    if (path !== exchangePath) return goodReply;
    asked++;
    return asked < 3 ? refusal(429, "rate_limited", 6) : newSession();
  });
  await service.run(service.client().analytics.mentions(question));

  assert.deepEqual(service.counts, { exchanges: 3, questions: 1 });
  assert.ok(service.clock.elapsed() >= 12_000);
});

test("a caller who leaves does not cancel the exchange for the others", async (t) => {
  const service = await ScriptedService.start(
    t,
    exchanging(() => goodReply),
  );
  const { analytics } = service.client();
  const leaving = new AbortController();
  const first = rejection(analytics.mentions(question, { signal: leaving.signal }));
  const second = analytics.mentions(question);
  leaving.abort(new Error("enough"));

  assert.deepEqual(await service.run(first), new Error("enough"));
  assert.deepEqual(await service.run(second), goodReply.body);
  assert.deepEqual(service.counts, { exchanges: 1, questions: 1 });
});

test("a reply to the exchange without a session is named", async (t) => {
  const service = await ScriptedService.start(t, () => ({ status: 200, body: {} }));
  const error = await rejection(service.run(service.client().workspace()));

  assert.ok(error instanceof UnexpectedReplyError);
  assert.match(error.message, /gave no session/);
});
