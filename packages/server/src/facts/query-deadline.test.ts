import assert from "node:assert/strict";
import { test } from "node:test";
import { askEndless, endless, openEngine, requireAnswer } from "../../test/endless-question.ts";
import { oneTurn } from "../../test/turns-during.ts";
import { questionDeadlineMs } from "../http/question-signal.ts";

test("a question that runs past its deadline is interrupted; the engine goes on", async (t) => {
  const engine = await openEngine(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ended } = await askEndless(t, engine);
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  t.mock.timers.tick(questionDeadlineMs - 1);
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
