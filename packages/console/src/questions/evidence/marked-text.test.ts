import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  excerptOf,
  type Located,
  layersOf,
  type MarkedText,
  piecesOf,
  windowOf,
} from "./marked-text.ts";

const texts = fc.string({ unit: "binary", maxLength: 600 });
const mentionsOf = (text: string): fc.Arbitrary<readonly Located[]> =>
  fc.array(
    fc.record({
      entityId: fc.constantFrom("a", "b"),
      start: fc.nat(text.length + 3),
      end: fc.nat(text.length + 3),
    }),
    { maxLength: 6 },
  );
const marked = texts.chain((text) => fc.tuple(fc.constant(text), mentionsOf(text)));

/** The mentions of a text as they are marked. */
function marksOf({ text, mentions }: MarkedText): readonly string[] {
  const pieces = piecesOf({ text, start: 0, end: text.length }, layersOf(text, mentions));
  return pieces.filter(({ mention }) => mention !== null).map((piece) => piece.text);
}

test("the pieces put together are the text, and marks are the slices that were located", () => {
  const statements = fc.array(
    fc.record({ citations: fc.constant([0]), start: fc.nat(600), end: fc.nat(600) }),
  );
  fc.assert(
    fc.property(marked, statements, ([text, mentions], over) => {
      const layers = layersOf(text, mentions, over);
      const pieces = piecesOf({ text, start: 0, end: text.length }, layers);
      assert.equal(pieces.map((piece) => piece.text).join(""), text);
      for (const { start, end, mention, text: its } of pieces) {
        assert.equal(its, text.slice(start, end));
        const covering = layers.mentions.find((each) => each.start <= start && end <= each.end);
        assert.equal(mention, covering ?? null);
      }
      for (const { start, end } of layers.mentions) {
        const found = pieces.filter((each) => each.start >= start && each.end <= end);
        assert.equal(found.map((piece) => piece.text).join(""), text.slice(start, end));
      }
    }),
  );
});

test("cues are cut where another begins or ends, and each part has all flags over it", () => {
  const cues = fc.array(
    fc.record({
      flags: fc.constantFrom("praised" as const, "criticized" as const).map((flag) => [flag]),
      start: fc.nat(40),
      end: fc.nat(40),
    }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(fc.string({ minLength: 40, maxLength: 40 }), cues, (text, all) => {
      const pieces = piecesOf({ text, start: 0, end: 40 }, layersOf(text, [], [], all));
      assert.equal(pieces.map((piece) => piece.text).join(""), text);
      for (const { start, end, cue } of pieces) {
        const over = all.filter((each) => each.start <= start && end <= each.end);
        const flags = new Set(over.flatMap((each) => each.flags));
        assert.deepEqual(new Set(cue?.flags ?? []), flags);
      }
    }),
  );
});

test("an excerpt is taken around what is said, with the name before it", () => {
  const text = `Acme is here. ${"a ".repeat(500)}Acme is good. ${"b ".repeat(500)}`;
  const mentions = [0, text.lastIndexOf("Acme")].map((start) => {
    return { entityId: "acme", start, end: start + 4 };
  });
  const start = text.indexOf("good");
  const cues = [{ flags: ["praised" as const], start, end: start + 4 }];
  const excerpt = excerptOf(windowOf({ text, mentions, cues }, "acme"), "acme");
  const [cue] = excerpt.cues ?? [];
  assert.equal(excerpt.text.slice(cue?.start, cue?.end), "good");
  assert.deepEqual(marksOf(excerpt), ["Acme"]);
});

test("a long text is read around its first mention, from the start of a paragraph", () => {
  const text = `${"a ".repeat(3_000)}\n\nTake Acme.${" b".repeat(3_000)}`;
  const start = text.indexOf("Acme");
  const mentions = [{ entityId: "acme", start, end: start + 4 }];
  const part = windowOf({ text, mentions }, "acme");
  assert.deepEqual([part.text.length < 4_100, marksOf(part)], [true, ["Acme"]]);
  const late = text.replace("\n\n", `\n\n${"c ".repeat(45)}`);
  const moved = mentions.map((each) => ({ ...each, start: start + 90, end: start + 94 }));
  assert.match(windowOf({ text: late, mentions: moved }, "acme").text, /^c c .*Take Acme/s);
  const other = windowOf({ text, mentions }, "globex");
  assert.deepEqual([other.text, other.mentions], [text.slice(0, 4_000), []]);
});

test("an excerpt begins before the first mention, and its marks say the same words", () => {
  const text = `${"word ".repeat(60)}Take Acme, or Globex. ${"more ".repeat(100)}`;
  const at = (name: string) => ({
    start: text.indexOf(name),
    end: text.indexOf(name) + name.length,
  });
  const mentions = [
    { entityId: "acme", ...at("Acme") },
    { entityId: "globex", ...at("Globex") },
  ];
  const excerpt = excerptOf({ text, mentions }, "acme");
  assert.match(excerpt.text, /^… word .* Take Acme, or Globex\. .*more …$/);
  assert.ok(excerpt.text.length < 340);
  assert.deepEqual(marksOf(excerpt), ["Acme", "Globex"]);
  const short = "Acme is good.";
  const mention = [{ entityId: "acme", start: 0, end: 4 }];
  assert.deepEqual(excerptOf({ text: short, mentions: mention }, "acme"), {
    text: short,
    mentions: mention,
    cues: [],
  });
});

test("a text without spaces has an excerpt too, whose letters are whole", () => {
  const text = "アクメは優れています🦊".repeat(60);
  for (const at of [0, 12, 300, 301]) {
    const mention = { entityId: "acme", start: 12 * at, end: 12 * at + 3 };
    const located = mention.end < text.length ? [mention] : [];
    const excerpt = excerptOf({ text, mentions: located }, "acme");
    assert.ok(excerpt.text.length > 200 && excerpt.text.isWellFormed(), excerpt.text);
    assert.deepEqual(
      marksOf(excerpt),
      located.map(() => "アクメ"),
    );
  }
  const acme = { entityId: "acme", start: 300, end: 304 };
  const odd = excerptOf(
    { text: `${"🦊".repeat(150)}Acme${"🦊".repeat(300)}`, mentions: [acme] },
    null,
  );
  assert.ok(odd.text.isWellFormed());
});
