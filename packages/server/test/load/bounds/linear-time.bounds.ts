import assert from "node:assert/strict";
import { test } from "node:test";
import {
  domainExtractor,
  ends,
  hostileExtractor,
  hostileText,
  longUrls,
  pieces,
} from "@sightline/test-kit/requests/hostile-texts.ts";
import { portray } from "../../../src/extraction/portrayal/portrayal.ts";

/** Four times the time of a text's quarter is linear, sixteen times quadratic. */
const ratioMax = 8;

function bestMs(runs: number, work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

function ratio(piece: string, end: string, runs: number): number {
  const timeMs = (units: number) => {
    const text = hostileText(piece, end, units);
    return bestMs(runs, () => hostileExtractor({ text, citations: [] }));
  };
  return timeMs(200_000) / timeMs(50_000);
}

test("four times the text takes about four times as long, however hostile", (t) => {
  let worst = 0;
  for (const piece of pieces) {
    for (const end of ends) {
      // A noisy measurement is repeated with care before it counts.
      let least = Number.POSITIVE_INFINITY;
      for (const runs of [1, 5, 9, 33]) {
        if (least >= ratioMax) least = Math.min(least, ratio(piece, end, runs));
      }
      worst = Math.max(worst, least);
      const text = `${JSON.stringify(piece)} … ${JSON.stringify(end)}`;
      assert.ok(least < ratioMax, `${text} takes ${least} times as long`);
    }
  }
  t.diagnostic(`${pieces.length * ends.length} texts; the worst took ${worst.toFixed(1)} times`);
});

test("URLs of the greatest length are read in linear time", (t) => {
  const readMs = (copies: number) =>
    bestMs(3, () => {
      for (let copy = 0; copy < copies; copy += 1) {
        const citations = longUrls.map((url) => ({ url: `${url}?${copy}`, cited: true }));
        domainExtractor({ text: "", citations });
      }
    });
  readMs(50);
  const found = readMs(200) / readMs(50);
  t.diagnostic(`${found.toFixed(1)} times`);
  assert.ok(found < ratioMax);
});

/** What the reader of portrayal may read again and again: names, heads, phrases, clauses. */
const spoken = [
  ...["Acme ", "Acme, ", "Acme and ", "- Acme\n", "## Acme\n", "| Acme ", "**Acme**\n", "Acme: "],
  ...[
    "but ",
    "if ",
    "not ",
    "the best ",
    "one of the ",
    "go with ",
    "Pros:\n",
    "\u201cAcme",
    "a|b|",
  ],
];

test("how a text speaks of a name is read in linear time, however hostile", (t) => {
  const readMs = (piece: string, units: number, runs: number) => {
    const text = `Acme is the best of them, and it is great. ${hostileText(piece, "", units)}`;
    const places = Array.from(text.matchAll(/Acme/g), ({ index }) => {
      return { entity: 0, start: index, end: index + "Acme".length };
    });
    return bestMs(runs, () => portray(text, places));
  };
  let worst = 0;
  for (const piece of [...pieces, ...spoken]) {
    let least = Number.POSITIVE_INFINITY;
    for (const runs of [1, 5, 9, 33]) {
      if (least < ratioMax) break;
      // What takes less than a millisecond is not measured by its ratio.
      least = readMs(piece, 200_000, runs) / Math.max(1, readMs(piece, 50_000, runs));
    }
    worst = Math.max(worst, least);
    assert.ok(least < ratioMax, `${JSON.stringify(piece)} takes ${least} times as long`);
  }
  t.diagnostic(`${pieces.length + spoken.length} texts; the worst took ${worst.toFixed(1)} times`);
});
