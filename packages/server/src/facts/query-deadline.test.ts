import assert from "node:assert/strict";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../test/test-service.ts";
import { questionDeadlineMs, questionSignal } from "../http/question-signal.ts";
import { Engine } from "./duckdb/engine.ts";

/** Hours of work on any machine, in pieces between which the engine looks up. */
const endless = {
  sql: "select sum(hash(a.range + b.range)) from range(10000000) a, range(10000000) b",
  values: [],
  shape: { sum: "number or null" },
} as const;
const quick = { sql: "select 1", values: [], shape: { one: "number" } } as const;

async function openEngine(t: TestContext): Promise<Engine> {
  const folder = temporaryFolder();
  const engine = await Engine.open(join(folder, "facts.duckdb"));
  t.after(() => {
    engine.close();
    rmSync(folder, { recursive: true });
  });
  return engine;
}

async function requireAnswer(engine: Engine): Promise<void> {
  assert.deepEqual(await engine.query(quick, AbortSignal.timeout(60_000)), [{ one: 1 }]);
}

/** A server whose every question is the endless one, and a client that waits for its reply. */
async function askEndless(t: TestContext, engine: Engine) {
  const ended = Promise.withResolvers<unknown>();
  const server = createServer((_request, reply) => {
    const { signal, done } = questionSignal(reply);
    engine
      .query(endless, signal)
      .catch((error: unknown) => ended.resolve(error))
      .finally(() => reply.end(done()));
  });
  t.after(() => server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as { port: number };
  const client = request({ port, host: "127.0.0.1" });
  client.on("error", () => undefined); // it may hang up
  client.end();
  await once(server, "request");
  return { client, ended: ended.promise };
}

test("a question that runs past its deadline is interrupted; the engine goes on", async (t) => {
  const engine = await openEngine(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ended } = await askEndless(t, engine);
  t.mock.timers.tick(questionDeadlineMs);
  assert.equal(((await ended) as { code: string }).code, "deadline_exceeded");
  t.mock.timers.reset();
  await requireAnswer(engine);
});

test("a running question whose client hangs up is interrupted", async (t) => {
  const engine = await openEngine(t);
  const { client, ended } = await askEndless(t, engine);
  client.destroy();
  assert.equal(((await ended) as { code: string }).code, "deadline_exceeded");
});

test("an interruption counts whenever it comes", async (t) => {
  const engine = await openEngine(t);
  const reason = new Error("nobody waits");
  for (let turns = 0; turns < 40; turns++) {
    const controller = new AbortController();
    const asked = assert.rejects(engine.query(endless, controller.signal), reason);
    for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
    controller.abort(reason);
    await asked;
  }
  await requireAnswer(engine);
});
