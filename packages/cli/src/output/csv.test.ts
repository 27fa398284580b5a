import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { csvLine } from "./records.ts";
import { safeText } from "./safe-text.ts";

/** A reader of RFC 4180, written from its grammar. */
function readCsv(text: string): readonly (readonly string[])[] {
  const field = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  const records: string[][] = [[]];
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (match === null) throw new Error(`no CSV: ${JSON.stringify(text)}`);
    records.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "\r\n") records.push([]);
  }
  return records.slice(0, -1);
}

test("texts are quoted, numbers and flags are not, null is empty", () => {
  const line = csvLine(['a "b", c', 0.25, -1, 1e-7, true, null, ""]);
  assert.equal(line, '"a ""b"", c",0.25,-1,1e-7,true,,""\r\n');
});

for (const formula of [
  '=HYPERLINK("http://x","y")',
  "+1",
  "-1",
  "@SUM(A1)",
  "|calc",
  "  =1",
  "\u00a0=1",
  "＝1",
  "＠x",
]) {
  test(`no formula: ${JSON.stringify(formula)}`, () => {
    const [[cell] = []] = readCsv(csvLine([formula]));
    assert.equal(cell, `'${formula}`);
  });
}

test("a formula behind a control character is none, since that is written as its number", () => {
  assert.equal(csvLine(["\t=1", "a\r\n=1"]), '"\\u{9}=1","a\\u{d}\\u{a}=1"\r\n');
});

test("every text comes back in one cell, but for the quote before formulas", () => {
  const texts = fc.array(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(texts, (given) => {
      const [read, ...others] = readCsv(csvLine(given));
      assert.deepEqual(others, []);
      assert.equal(read?.length, given.length);
      for (const [index, cell] of read.entries()) {
        const wanted = safeText(given[index] ?? "");
        assert.ok(cell === wanted || cell === `'${wanted}`);
        assert.doesNotMatch(cell, /^\s*[=+\-@\t\r]/);
      }
    }),
  );
});
