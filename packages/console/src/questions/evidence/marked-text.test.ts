import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { excerptOf, type Located, markedParts } from "./marked-text.ts";

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

test("the parts put together are the text, and marks are the slices that were located", () => {
  fc.assert(
    fc.property(marked, ([text, mentions]) => {
      const parts = markedParts(text, mentions);
      assert.equal(parts.map((part) => part.text).join(""), text);
      for (const part of parts.filter(({ entityId }) => entityId !== null)) {
        const found = mentions.find(
          ({ entityId, start, end }) =>
            entityId === part.entityId && text.slice(start, end) === part.text,
        );
        assert.ok(found !== undefined && found.start === part.start);
      }
    }),
  );
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
  const excerpt = excerptOf(text, mentions, "acme");
  assert.match(excerpt.text, /^… word .* Take Acme, or Globex\. .*more …$/);
  assert.ok(excerpt.text.length < 340);
  assert.deepEqual(
    markedParts(excerpt.text, excerpt.mentions)
      .filter(({ entityId }) => entityId !== null)
      .map((part) => part.text),
    ["Acme", "Globex"],
  );
  const short = "Acme is good.";
  const mention = [{ entityId: "acme", start: 0, end: 4 }];
  assert.deepEqual(excerptOf(short, mention, "acme"), { text: short, mentions: mention });
});

test("a text without spaces has an excerpt too, whose letters are whole", () => {
  const text = "アクメは優れています🦊".repeat(60);
  for (const at of [0, 12, 300, 301]) {
    const mention = { entityId: "acme", start: 12 * at, end: 12 * at + 3 };
    const located = mention.end < text.length ? [mention] : [];
    const excerpt = excerptOf(text, located, "acme");
    assert.ok(excerpt.text.length > 200 && excerpt.text.isWellFormed(), excerpt.text);
    const marks = markedParts(excerpt.text, excerpt.mentions).filter((part) => part.entityId);
    assert.deepEqual(
      marks.map((part) => part.text),
      located.map(() => "アクメ"),
    );
  }
  const odd = excerptOf(
    `${"🦊".repeat(150)}Acme${"🦊".repeat(300)}`,
    [{ entityId: "acme", start: 300, end: 304 }],
    null,
  );
  assert.ok(odd.text.isWellFormed());
});
