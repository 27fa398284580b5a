import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { markedText } from "./answer-texts.ts";
import { safeText } from "./safe-text.ts";

const plain = { width: 80, colour: false, isTerminal: false };
const entityId = "aaaaaaaa-0000-4000-8000-000000000001";

test("mentions stand in brackets; what acts on a terminal is written as its number", () => {
  const text = "a\u001b[2J Acme\r\n\tACME\u202e.";
  const mention = (start: number) => {
    return { entityId, name: "Acme", start, end: start + 4, rank: 1, cues: [] };
  };
  const marked = markedText({ text, mentions: [mention(6), mention(13)] }, plain);
  assert.equal(marked, "a\\u{1b}[2J [Acme]\n  [ACME]\\u{202e}.");
});

test("a long text ends with how much more there is", () => {
  const text = `${"x".repeat(3_998)} Acme`;
  const mentions = [{ entityId, name: "Acme", start: 3_999, end: 4_003, rank: 1, cues: [] }];
  const marked = markedText({ text, mentions }, plain);
  assert.equal(marked, `${"x".repeat(3_998)} A… (3 more characters: --format json)`);
});

test("without its brackets, a marked text is the safe text, whatever is in it", () => {
  const texts = fc
    .string({ unit: "binary", maxLength: 60 })
    .map((text) => text.replaceAll("[", ""));
  const cuts = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 8 });
  const property = fc.property(texts, cuts, (text, places) => {
    // No mention begins or ends within a surrogate pair or a line break.
    const isBound = (place: number) => !/[\ud800-\udbff\r]$/.test(text.slice(0, place));
    const inside = places.filter((place) => place <= text.length && isBound(place));
    const bounds = inside.toSorted((a, b) => a - b);
    const mentions = bounds.flatMap((start, index) => {
      const end = bounds[index + 1];
      const isMention = index % 2 === 0 && end !== undefined;
      return isMention ? [{ entityId, name: "Acme", start, end, rank: 1, cues: [] }] : [];
    });
    const marked = markedText({ text, mentions }, plain);
    const lines = text.split(/\r?\n/).map((line) => safeText(line.replaceAll("\t", "  ")));
    const withoutBrackets = marked.replaceAll(/[[\]]/g, "");
    assert.equal(withoutBrackets.replaceAll("\n", ""), lines.join("").replaceAll("]", ""));
  });
  fc.assert(property, { numRuns: 300 });
});
