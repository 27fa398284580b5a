import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { oneTurn, turnsDuring } from "../../test/turns-during.ts";
import { inTurns, nextTurn, sortedInTurns } from "./turns.ts";

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
  const work = inTurns(items, (item, index) => {
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
