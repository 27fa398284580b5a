import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { leaderPoints, type Point, placeLabels, shortName } from "./end-labels.ts";

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

const right = 400;

/** Ends of lines, some of which end before the others, or at the same value. */
const lineEnds = fc.array(
  fc.record({
    x: fc.constantFrom(right, right, 120, 260),
    wantedY: fc.oneof(fc.integer({ min: 10, max: 310 }), fc.constantFrom(40, 41, 42)),
  }),
  { maxLength: 30 },
);

/** Whether two stretches cross: each has the ends of the other on both its sides. */
function cross([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  const side = ([px, py]: Point, [qx, qy]: Point, [rx, ry]: Point) =>
    Math.sign(Math.round(((qx - px) * (ry - py) - (qy - py) * (rx - px)) * 1e6));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

test("no two leaders cross, no label is outside, and labels have the order of their lines", () => {
  fc.assert(
    fc.property(lineEnds, (ends) => {
      const labels = ends.map(({ wantedY }, index) => ({ id: String(index), wantedY }));
      const places = placeLabels(labels, bounds);
      const leaders = ends.map(({ x, wantedY }, index) => {
        const to: Point = [right + 14, places.get(String(index)) ?? Number.NaN];
        return leaderPoints({ from: [x + 5, wantedY], to, bendX: right + 5 });
      });
      for (const { id, wantedY } of labels) {
        const y = places.get(id) ?? Number.NaN;
        assert.ok(y >= bounds.top - 1e-6 && y <= bounds.bottom + 1e-6, `${y}`);
        for (const other of labels) {
          if (other.wantedY > wantedY) assert.ok((places.get(other.id) ?? Number.NaN) > y);
        }
      }
      const stretches = leaders.map((points) =>
        points.slice(1).map((point, at) => [points[at] ?? point, point] as const),
      );
      stretches.forEach((own, index) => {
        for (const other of stretches.slice(index + 1)) {
          assert.ok(!own.some((a) => other.some((b) => cross(a, b))));
        }
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
