import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { normalizedQuery, queryWords } from "./search-queries.ts";

test("queries are folded: compatible characters, case, spaces", () => {
  const folded: Readonly<Record<string, string>> = {
    "  Best   Tents\n2026 ": "best tents 2026",
    "ＢＥＳＴ\u3000ｔｅｎｔｓ": "best tents",
    "ﬁne tents": "fine tents",
    "a\u0000b\tc": "a b c",
    " \n ": "",
  };
  for (const [query, wanted] of Object.entries(folded))
    assert.equal(normalizedQuery(query), wanted);
});

test("folding twice is folding once, and leaves one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (query) => {
      const once = normalizedQuery(query);
      assert.equal(normalizedQuery(once), once);
      assert.doesNotMatch(once, /[\n\r\0]/);
    }),
  );
});

test("words that are added and dropped, against one prompt and against several", () => {
  assert.deepEqual(queryWords("best light tents 2026", ["Which tents are light?"]), {
    added: ["best", "2026"],
    dropped: ["which", "are"],
  });
  assert.deepEqual(queryWords("tents", ["Light tents?", "Which light tents?"]), {
    added: [],
    dropped: ["light"],
  });
  assert.deepEqual(queryWords("テント おすすめ", ["テントは？"]).added, ["おすすめ"]);
  assert.deepEqual(queryWords("tents", []), { added: ["tents"], dropped: [] });
});
