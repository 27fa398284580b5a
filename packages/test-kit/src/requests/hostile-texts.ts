import { compileExtractor } from "../../../server/src/extraction/compile-extractor.ts";

const name = (text: string) => ({ text, caseSensitive: false });

/** Names made to have many prefixes, suffixes and failures in common. */
export const hostileExtractor = compileExtractor([
  { names: ["a", "a".repeat(500), "aaab", "三星", "["].map(name), domains: [] },
  { names: [name(`${"a ".repeat(5_000)}b`)], domains: [] },
  { names: Array.from({ length: 12 }, (_, words) => name("a ".repeat(words + 1))), domains: [] },
]);

/** What is repeated: a piece that opens something looks for its end through the whole text. */
export const pieces: readonly string[] = [
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
    "([a](x)",
    "([a](x),",
    "[a](x))",
    "(a.",
    "(a.b) ",
    "( a",
    "【†",
    "【a",
    "[a](x)(",
    "[a](x),,,,",
    "([a](x)&nbsp;",
    "[a](x)&;;",
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
/** What may stand at the end. */
export const ends: readonly string[] = ["", ">", '">', ")", '" )', "-->", "\n\n)"];

/** URLs of about the greatest length, each hostile to another step. */
export const longUrls: readonly string[] = [
  `${"https://google.com/url?q=".repeat(300)}https://acme.com/`,
  `https://a.com/${"/a".repeat(4_000)}`,
  `https://${"a.".repeat(120)}com/`,
  `https://a.com/?${"&amp;".repeat(1_600)}`,
  `https://a.com/${"%E2%80%8B".repeat(900)}`,
  `https://a.com/${"%E2%80".repeat(1_300)}`,
  `https://a.com/${"\u200c".repeat(8_000)}`,
  `https://a.translate.goog/?_x_tr_hp=${"a-".repeat(4_000)}`,
  `https://google.com/amp/${"s/".repeat(4_000)}a.com`,
];

/** What looks for domains in them. */
export const domainExtractor = compileExtractor([
  { names: [], domains: ["a.com/a/a/a/b", "google.com"] },
]);

/** So many units of a piece, and an end. */
export function hostileText(piece: string, end: string, units: number): string {
  // Before the last end stands a run of spaces, for which every piece may look as well.
  const spaces = end.startsWith("\n") ? " ".repeat(units) : "";
  return piece.repeat(units / piece.length) + spaces + end;
}
