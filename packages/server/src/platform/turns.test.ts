import assert from "node:assert/strict";
import { test } from "node:test";
import { oneTurn, turnsDuring } from "@sightline/test-kit/turns-during.ts";
import fc from "fast-check";
import { eachInTurns, inTurns, nextTurn, sortedInTurns } from "./turns.ts";

const patient = new AbortController().signal;

/** Work of so many milliseconds, a quarter of one a step. */
function* work(ms: number, onStep: () => void): Generator<void, string, void> {
  for (let step = 0; step < ms * 4; step++) {
    const end = performance.now() + 0.25;
    while (performance.now() < end);
    onStep();
    yield;
  }
  return "done";
}

test("long work is done in turns, one in each round of the event loop over all work", async () => {
  let round = 0;
  let isOver = false;
  const count = () => {
    round++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const rounds = [0, 1, 2].map(() => new Set<number>());
  const works = rounds.map((own) =>
    inTurns(
      work(40, () => own.add(round)),
      patient,
    ),
  );
  assert.deepEqual(await Promise.all(works), ["done", "done", "done"]);
  isOver = true;
  const all = rounds.flatMap((own) => [...own]);
  assert.equal(new Set(all).size, all.length, "two turns in one round");
  for (const own of rounds) assert.ok(own.size >= 5, `${own.size} turns`);
});

test("work ends between two turns when nobody waits for it any more", async () => {
  const controller = new AbortController();
  let steps = 0;
  const ended = inTurns(
    work(400, () => steps++),
    controller.signal,
  );
  setImmediate(() => controller.abort(new Error("gone")));
  await assert.rejects(ended, /gone/);
  assert.ok(steps < 1_600, `${steps} steps`);
});

test("of all who wait, one goes on in each turn of the event loop", async () => {
  let turn = 0;
  const waiters = Array.from({ length: 20 }, async () => {
    await nextTurn();
    return turn;
  });
  for (; turn < 30; turn++) await oneTurn();
  const turns = await Promise.all(waiters);
  assert.equal(new Set(turns).size, 20, `they went on in ${turns.join(", ")}`);
});

test("items are gone over in order, and a long list lets others go on", async () => {
  const seen: number[] = [];
  const items = Array.from({ length: 40 }, (_, index) => index);
  const work = eachInTurns(items, (item, index) => {
    assert.equal(item, index);
    const endMs = performance.now() + 1;
    while (performance.now() < endMs);
    seen.push(item);
  });
  const turns = await turnsDuring(work);
  assert.deepEqual(seen, items);
  assert.ok(turns >= 8, `40 ms of work were ${turns} turns`);
});

test("sorting in turns is sorting", async () => {
  const item = fc.record({ text: fc.string({ maxLength: 2 }), id: fc.nat() });
  const compare = (a: { text: string }, b: { text: string }) =>
    a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 3_000, size: "max" }), async (items) => {
      assert.deepEqual(await sortedInTurns(items, compare), items.toSorted(compare));
    }),
    { numRuns: 30 },
  );
});
