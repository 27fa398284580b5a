import assert from "node:assert/strict";
import { test } from "node:test";
import { compileExtractor } from "./compile-extractor.ts";

const name = (text: string) => ({ text, caseSensitive: false });

/** Names made to have many prefixes, suffixes and failures in common. */
const extract = compileExtractor([
  { names: ["a", "a".repeat(500), "aaab", "三星", "["].map(name), domains: [] },
  { names: [name(`${"a ".repeat(5_000)}b`)], domains: [] },
  { names: Array.from({ length: 12 }, (_, words) => name("a ".repeat(words + 1))), domains: [] },
]);

/** What is repeated, and what may stand at the end, for which every piece then looks. */
const pieces = [
  ...[
    "a",
    "a ",
    "a\n",
    "(",
    "[",
    "<",
    "&",
    "&amp;",
    "&#1",
    "http://",
    "http://a",
    "a://",
    "www.",
    "@a",
    "a.a",
  ],
  ...[
    "[a](",
    "![",
    "![a](",
    "[[a](x)",
    "](",
    "[a](x",
    '[a](x "',
    "[a](<",
    "[()",
    "[a][b]",
    "[samsung.com](x)",
  ],
  ...['<a b="<a b=\'" ', "<a href=x>", "</a>", "<!--", "<a", "\n[a]: ", '\n[a]: /x "', "\\", "\\["],
  ...[
    "*",
    "* ",
    "_",
    "`",
    "~~",
    "-",
    "- ",
    " \n",
    "\n\n",
    "三",
    "星三",
    "é",
    "が",
    "😀",
    "\u200b",
    "\ud800",
  ],
  ...["\u0301", "\u0301\u0316", "a\u0301", "\u{1d165}\u0316", "\ufdfa"],
];
const ends = ["", ">", '">', ")", '" )', "-->", "\n\n)"];

function timeMs(text: string, runs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    extract({ text, citations: [] });
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

/** Four times the time of a text's quarter is linear, sixteen times quadratic. */
function ratio(piece: string, end: string, runs: number): number {
  // Before the last end stands a run of spaces, for which every piece may look as well.
  const spaces = (units: number) => (end.startsWith("\n") ? " ".repeat(units) : "");
  const text = (units: number) => piece.repeat(units / piece.length) + spaces(units) + end;
  return timeMs(text(200_000), runs) / timeMs(text(50_000), runs);
}

test("four times the text takes about four times as long, however hostile", () => {
  for (const piece of pieces) {
    for (const end of ends) {
      // A noisy measurement is repeated with care before it counts.
      const passes = [1, 5, 9, 33].some((runs) => ratio(piece, end, runs) < 8);
      assert.ok(
        passes,
        `${JSON.stringify(piece)} … ${JSON.stringify(end.slice(-5))} is not linear`,
      );
    }
  }
});

test("URLs of the greatest length are read in linear time", () => {
  const wrapped = `${"https://google.com/url?q=".repeat(300)}https://acme.com/`;
  const citations = [
    wrapped,
    `https://a.com/${"/a".repeat(4_000)}`,
    `https://${"a.".repeat(120)}com/`,
  ];
  const rules = compileExtractor([{ names: [], domains: ["a.com/a/a/a/b", "google.com"] }]);
  const read = (copies: number) => {
    const start = performance.now();
    for (let copy = 0; copy < copies; copy += 1) {
      rules({
        text: "",
        citations: citations.map((url) => ({ url: `${url}?${copy}`, cited: true })),
      });
    }
    return performance.now() - start;
  };
  read(50);
  const single = Math.min(read(50), read(50), read(50));
  assert.ok(Math.min(read(200), read(200), read(200)) / single < 8);
});
