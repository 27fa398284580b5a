import assert from "node:assert/strict";
import { test } from "node:test";
import { afterQuestions, asQuestion, betweenTurns } from "./turns.ts";

const { signal } = new AbortController();

/** A question that is answered when it is told to. */
function question() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { answered: asQuestion(() => promise), resolve, reject };
}

/** How many turns of questions passed until something was done. */
async function turnsUntil(done: Promise<void>): Promise<number> {
  let isDone = false;
  void done.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns++) await betweenTurns(signal)();
  return turns;
}

test("what nobody waits for goes on at once while nobody asks", async () => {
  assert.ok((await turnsUntil(afterQuestions(signal)())) <= 2);
});

test("it waits for the last of several questions, failed ones too", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const [one, other] = [question(), question()];
  const goesOn = afterQuestions(signal)();
  let wentOn = false;
  void goesOn.then(() => {
    wentOn = true;
  });
  one.reject(new Error("no"));
  await assert.rejects(one.answered, /no/);
  for (let turn = 0; turn < 3; turn++) await betweenTurns(signal)();
  assert.equal(wentOn, false);
  other.resolve("yes");
  assert.equal(await other.answered, "yes");
  assert.ok((await turnsUntil(goesOn)) <= 2);
});

test("it goes on while questions never end, and says when nobody wants it any more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { answered, resolve } = question();
  const waits = afterQuestions(signal)();
  await betweenTurns(signal)();
  await betweenTurns(signal)();
  t.mock.timers.tick(5);
  await waits;
  const abort = new AbortController();
  const goesOn = afterQuestions(abort.signal)();
  abort.abort(new Error("closed"));
  resolve("late");
  await answered;
  await assert.rejects(goesOn, /closed/);
});
