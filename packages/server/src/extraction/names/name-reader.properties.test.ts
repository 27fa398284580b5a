import assert from "node:assert/strict";
import { test } from "node:test";
import { ends, hostileText, pieces } from "@sightline/test-kit/requests/hostile-texts.ts";
import fc from "fast-check";
import { compileFullExtractor } from "../compile-extractor.ts";
import { nameKey } from "./name-key.ts";

const entities = [
  { names: [{ text: "Acme", caseSensitive: false }], domains: ["acme.example"] },
  { names: [{ text: "Globex", caseSensitive: false }], domains: [] },
];
const read = compileFullExtractor(entities);

const part = fc.oneof(
  fc.constantFrom(
    ...["Acme", "Globex", "Tarnfell", "Ridge", "weidenau", "Weidenau", "tent", "The", "X200", "2"],
    ...[". ", ", ", " ", "\n", "**", "“", "”", "](", "[", ")", "| ", "- ", " & ", "'s", "-", "://"],
    ...["軽い", "「", "」", "：", "ß", "é", "\u0301", "\ud800", "🏕", "\0"],
  ),
  fc.string({ unit: "binary", maxLength: 4 }),
);
const arbitraryText = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(""));
const hosts = ["tarnfell.example", "weidenau.example", "acme.example"];
const arbitraryCitations = fc
  .subarray(hosts)
  .map((found) => found.map((host) => ({ url: `https://${host}/`, cited: true })));

test("each name stands in the text, once, and nobody tracks it", () => {
  fc.assert(
    fc.property(arbitraryText, arbitraryCitations, (text, citations) => {
      const { names } = read({ text, citations });
      const keys = names.map(({ key }) => key);
      assert.equal(new Set(keys).size, keys.length);
      for (const { key, name, start, end, place, domain } of names) {
        assert.equal(text.slice(start, end), name);
        assert.equal(nameKey(name), key);
        assert.ok(!/[\n\0]/.test(name) && name.length <= 60);
        assert.ok(!["acme", "globex"].includes(key));
        assert.ok(place >= 1 && place <= 1 + entities.length);
        assert.ok(domain === "" || nameKey(domain.split(".")[0] ?? "") === key);
      }
    }),
    { numRuns: 2_000 },
  );
});

test("what was read before makes no difference", () => {
  fc.assert(
    fc.property(arbitraryText, arbitraryText, (text, other) => {
      const alone = read({ text, citations: [] });
      read({ text: other, citations: [] });
      assert.deepEqual(read({ text, citations: [] }), alone);
    }),
    { numRuns: 500 },
  );
});

test("hostile texts are read, and nothing more is kept than of others", () => {
  for (const piece of [
    ...pieces,
    "A",
    "A ",
    "Aa & ",
    "aaaaA",
    "1Aaa",
    "A's ",
    "A-",
    "**A",
    "「軽",
  ]) {
    for (const end of ends) {
      const text = hostileText(piece, end, 10_000);
      const { names } = read({ text, citations: [] });
      assert.ok(names.length <= 130, piece);
    }
  }
});
