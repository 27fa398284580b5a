import assert from "node:assert/strict";
import { test } from "node:test";
import {
  askEndless,
  endless,
  endlessSeconds,
  openEngine,
  requireAnswer,
} from "@sightline/test-kit/requests/endless-question.ts";
import { assertProblem } from "@sightline/test-kit/requests/problem-shape.ts";
import { sampleRange, startSample } from "@sightline/test-kit/sample-account.ts";
import { oneTurn } from "@sightline/test-kit/turns-during.ts";
import { DuckdbFacts } from "../facts/duckdb/duckdb-facts.ts";
import { openDataFolder } from "../platform/data-folder.ts";
import { serviceApp } from "../server.ts";
import { EvidenceReader } from "./evidence/evidence-reader.ts";
import { QuestionRunner } from "./question-runner.ts";

test("a question that runs past its deadline is interrupted; the engine goes on", async (t) => {
  const engine = await openEngine(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ended } = await askEndless(t, engine);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  t.mock.timers.tick(endlessSeconds * 1000 - 1);
  for (let turn = 0; turn < 20; turn++) await oneTurn();
  assert.equal(isOver, false);
  t.mock.timers.tick(1);
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

test("the deadline holds while the account's facts are checked, too", async (t) => {
  const { service, accountId, token } = await startSample(t);
  const { services } = service;
  const asked = Promise.withResolvers<void>();
  /** The engine while a file is hashed row by row: it tells nobody what state that is in. */
  class CheckingFacts extends DuckdbFacts {
    override state(): Promise<never> {
      asked.resolve();
      return new Promise(() => undefined);
    }
  }
  const { config, logger } = services;
  const engine = new CheckingFacts({ folder: openDataFolder(config.dataDir), logger, openMax: 1 });
  const reader = new EvidenceReader(config);
  const facts = new QuestionRunner({
    ...services,
    engine,
    reader,
    pricesDate: "2026-01-01",
    threads: 2,
  });
  const app = serviceApp({ ...services, facts });
  t.after(() => app.close());
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const reply = app.inject({
    method: "POST",
    url: "/v1/analytics/sources",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    payload: { groupBy: "url", limit: 1, offset: 0, filters: { timeRange: sampleRange } },
  });
  await asked.promise;
  t.mock.timers.tick(config.questionSeconds * 1000);
  const { statusCode: status, headers, body } = await reply;
  t.mock.timers.reset();
  assertProblem({ status, headers, body }, "deadline_exceeded");
  const given = new AbortController();
  const late = facts.coverage(accountId, given.signal);
  given.abort(new Error("gone"));
  await assert.rejects(late, /gone/);
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
