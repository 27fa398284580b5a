import assert from "node:assert/strict";
import { test } from "node:test";
import { ends, hostileText, pieces } from "@sightline/test-kit/requests/hostile-texts.ts";
import fc from "fast-check";
import { compileEvidenceLocator } from "../locate-evidence.ts";
import { linesOf } from "./lines.ts";
import {
  type Cue,
  type NamedPlace,
  type Portrayal,
  portray,
  portrayalFlags,
  portrayalVersion,
} from "./portrayal.ts";

const brands = ["Acme", "Globex", "Tarnfell"];
const locate = compileEvidenceLocator(
  brands.map((text) => ({ names: [{ text, caseSensitive: false }], domains: [] })),
);

function read(text: string): Portrayal {
  return portray(text, locate({ text, citations: [] }).mentions);
}

/** What answers are made of, and what breaks readers. */
const piece = fc.constantFrom(
  ...brands,
  ...[
    "is",
    "the",
    "best",
    "choice",
    "but",
    "not",
    "if you want",
    "go with",
    "than",
    "heavy",
    "and",
  ],
  ...[
    "Acme X2",
    "slow",
    "I'd",
    "recommend",
    "for",
    "great",
    "Pros",
    "Cons",
    "it",
    "avoid",
    "unlike",
  ],
  ...["ist", "nicht", "gut", "est", "très", "bon", "es", "mejor", "より", "おすすめ", "です", "。"],
  ...[
    ", ",
    ". ",
    ": ",
    " – ",
    "\n",
    "\n\n",
    "\n- ",
    "\n  - ",
    "\n## ",
    " | ",
    "\n| ",
    "?",
    "**",
    "\t",
  ],
  ...["\n---\n", "\n```\n", "](", "https://", "+2", "“", "”", "(", ")", "\r\n", "flagshipsAcme"],
);
const pieced = fc
  .array(fc.tuple(piece, fc.constantFrom("", " ")), { maxLength: 80 })
  .map((parts) => parts.flat().join(""));
const anyText = fc.oneof(
  pieced,
  fc.string({ unit: "binary" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

const opening = "Here is what the tests of this year say about them, and what they mean for you.";

/** Cues lie inside the text, are not empty, in order, each once, and of the given entities. */
function assertSound(text: string, places: readonly NamedPlace[], { cues }: Portrayal): void {
  const given = new Set(places.map(({ entity }) => entity));
  for (const [entity, own] of cues) {
    assert.ok(given.has(entity));
    assert.ok(own.length > 0);
    let last = 0;
    for (const { flag, start, end } of own) {
      assert.ok(portrayalFlags.includes(flag));
      assert.ok(start >= last && end > start && end <= text.length, `${start}–${end}`);
      last = start;
    }
    const keys = own.map(({ flag, start, end }) => `${flag} ${start} ${end}`);
    assert.equal(new Set(keys).size, keys.length);
  }
}

test("cues lie inside the text, in its order, and are of entities that it names", () => {
  const property = fc.property(anyText, (text) => {
    const places = locate({ text, citations: [] }).mentions;
    assertSound(text, places, portray(text, places));
  });
  fc.assert(property, { numRuns: 3_000 });
});

test("so they do with any places, in any order, also such as no text has", () => {
  const place = fc.record({
    entity: fc.nat({ max: 3 }),
    start: fc.integer({ min: -5, max: 300 }),
    end: fc.integer({ min: -5, max: 300 }),
  });
  const property = fc.property(anyText, fc.array(place, { maxLength: 10 }), (text, places) => {
    assertSound(text, places, portray(text, places));
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("hostile texts are read, with a name before and after them", () => {
  for (const repeated of pieces) {
    for (const end of ends) {
      const text = `Acme is the best, but ${hostileText(repeated, end, 4_000)} Acme is slow.`;
      const places = locate({ text, citations: [] }).mentions;
      assertSound(text, places, portray(text, places));
    }
  }
});

test("a text is read as if no other had been read before it", () => {
  const property = fc.property(pieced, pieced, (before, text) => {
    const [question, said] = [`${before} ${text}, what is it? `, `${text} ${opening}`];
    const alone = read(said);
    read(question);
    assert.deepEqual(read(said), alone);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("a section that names nobody, after a rule, changes nothing", () => {
  const section =
    "Some of the rest are excellent, and the best overall is not cheap. Avoid the slow ones. " +
    "It is great, but it is heavy.";
  const property = fc.property(pieced, (pieces) => {
    fc.pre(!pieces.includes("```"));
    // A last line of a few words would become a heading of what is added.
    const text = `${opening}\n\n${pieces}\n\n${opening}`;
    const { language, cues } = read(text);
    fc.pre(language === "en");
    assert.deepEqual(read(`${text}\n\n---\n\n${section}`).cues, cues);
  });
  fc.assert(property, { numRuns: 1_000 });
});

test("a section before the others changes their places alone", () => {
  const before = `${opening} ${opening} ${opening}\n\n---\n\n`;
  const property = fc.property(pieced, (pieces) => {
    const text = `## What they are\n\n${pieces}`;
    const shifted = read(before + text);
    const { language, cues } = read(text);
    fc.pre(language === "en");
    const expected = [...cues].map(([entity, own]) => [
      entity,
      own.map(({ flag, start, end }) => {
        return { flag, start: start + before.length, end: end + before.length };
      }),
    ]);
    assert.deepEqual([...shifted.cues], expected);
  });
  fc.assert(property, { numRuns: 1_000 });
});

test("entities are read alike, whatever their numbers", () => {
  const property = fc.property(pieced, (text) => {
    const places = locate({ text, citations: [] }).mentions;
    const renamed = places.map(({ entity, start, end }) => ({ entity: 7 - entity, start, end }));
    const of = (cues: Portrayal["cues"], entity: number): readonly Cue[] => cues.get(entity) ?? [];
    const [own, other] = [portray(text, places), portray(text, renamed)];
    for (const entity of brands.keys()) {
      assert.deepEqual(of(other.cues, 7 - entity), of(own.cues, entity));
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

test("lines are ascending, disjoint, inside the text and without blanks around them", () => {
  const property = fc.property(anyText, (text) => {
    let last = 0;
    for (const { start, end } of linesOf(text)) {
      assert.ok(start >= last && end >= start && end <= text.length);
      assert.doesNotMatch(text.slice(start, end), /^[ \t\r]|\n|[ \t\r]$/);
      last = end;
    }
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("the version counts the tables' versions", () => {
  assert.ok(Number.isInteger(portrayalVersion) && portrayalVersion > 5);
});
