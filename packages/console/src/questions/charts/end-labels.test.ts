import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { placeLabels, shortName } from "./end-labels.ts";

const bounds = { top: 10, bottom: 310, gap: 15 };
const ends = fc.array(fc.double({ min: 0, max: 320, noNaN: true }), { maxLength: 20 });

test("labels never touch, keep the order of their lines, and stay in the picture", () => {
  fc.assert(
    fc.property(ends, (wanted) => {
      const labels = wanted.map((wantedY, index) => ({ id: String(index), wantedY }));
      const places = placeLabels(labels, bounds);
      const sorted = [...labels].sort((a, b) => a.wantedY - b.wantedY);
      const ys = sorted.map(({ id }) => places.get(id) ?? Number.NaN);
      ys.forEach((y, index) => {
        assert.ok(y >= bounds.top - 1e-6 && y <= bounds.bottom + 1e-6, `${y}`);
        const before = ys[index - 1];
        if (before !== undefined) assert.ok(y - before >= bounds.gap - 1e-6);
      });
    }),
  );
});

test("a label alone stands at the end of its line", () => {
  assert.deepEqual(placeLabels([{ id: "a", wantedY: 42 }], bounds), new Map([["a", 42]]));
});

test("a long name is cut between letters where it is too wide, whatever its letters are", () => {
  const fits = (text: string) => [...text].length <= 17;
  assert.equal(shortName("Osierline", fits), "Osierline");
  const cut = shortName(`${"a".repeat(15)}${"🦊".repeat(9)}`, fits);
  assert.equal(cut, `${"a".repeat(15)}🦊…`);
  assert.ok(encodeURIComponent(cut).length > 0);
  const wide = (text: string) => [...text].reduce((sum, each) => sum + (each === "W" ? 3 : 1), 0);
  assert.equal(
    shortName("WWWWWWWW", (text) => wide(text) <= 10),
    "WWW…",
  );
  assert.equal(
    shortName("WW", () => false),
    "…",
  );
});
