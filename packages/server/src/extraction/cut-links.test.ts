import assert from "node:assert/strict";
import { test } from "node:test";
import { compileExtractor } from "./compile-extractor.ts";
import { cutLinks } from "./cut-links.ts";

/** What is left, with gaps and spaces shown as one space. */
function prose(text: string): string {
  return cutLinks(text, (label) => label === "Fernsee.com")
    .replace(/\s+/g, " ")
    .trim();
}

const cases: Readonly<Record<string, readonly [text: string, prose: string]>> = {
  "a URL in the text": ["See https://acme.com/a?b=c#d now", "See now"],
  "a URL of any scheme": ["open ftp://acme.com or acme://home", "open or"],
  "a URL without scheme, by its www": ["at www.acme.com/x, or", "at or"],
  "a URL in parentheses": ["(https://acme.com/a_(b)) and [https://acme.com]", "( ) and [ ]"],
  "a URL before full-width punctuation": ["请看https://acme.com。三星", "请看 。三星"],
  "a URL that is glued to a word": ["Samsunghttps://acme.com", "Samsung"],
  "a URL before an escaped tag": ["https://acme.com&lt;Acme", "&lt;Acme"],
  "a URL in angle brackets": ["a <https://acme.com/Acme> b <mailto:a@acme.com>", "a b"],
  "a link's target": ["[Acme](https://acme.com) Labs", "Acme Labs"],
  "a target with parentheses": ["[Acme](https://a.com/x_(Acme)) b", "Acme b"],
  "a target in angle brackets": ["[x](<a b (Acme> 'Acme') b", "x b"],
  "a target and its title": ['[x](/y "Acme (1)") b [x](/y (Acme)) c', "x b x c"],
  "a title with quotes": ['[x](/y "the "Acme" one") b', "x b"],
  "a target over two lines": ["[x](\n/y\n'Acme'\n) b", "x b"],
  "no target over a paragraph's end": ['[x](/y "Acme\n\n") b', '[x](/y "Acme ") b'],
  "no target after a space": ["[x] (Acme)", "[x] (Acme)"],
  "no closed target": ["[x](Acme and", "[x](Acme and"],
  "a label that is a host name": ["a ([samsung.com](https://x.org)) b", "a b"],
  "a host name with its path": ["[www.samsung.com/uk](https://x.org) b", "b"],
  "a label that is a name stays": ["**[Fernsee.com](https://x.org)** b", "** Fernsee.com ** b"],
  "emphasised, too": ["[**Fernsee.com**](https://x.org) b", "**Fernsee.com** b"],
  "in HTML, too": ['<a href="/x">Fernsee.com</a> b', "Fernsee.com b"],
  "not with its path": ["[Fernsee.com/a](https://x.org) b", "b"],
  "a mark of links": ["a ([Acme](/x), [Globex][1]) b\n\n[1]: /y", "a b"],
  "in brackets": ["a [[Acme](/x) · [1](/y)] b", "a b"],
  "in full-width brackets": ["a（[Acme](/x)、[Globex](/y)）b【[Acme](/x)】c", "a b c"],
  "emphasised in parentheses": ["a *(**[Acme](/x)**)* b", "a * * b"],
  "with a name that is a host": ["a ([Fernsee.com](https://x.org)) b", "a b"],
  "with a URL, an image and HTML": [
    'a (https://a.com [Acme](/x) ![y](/z) <a href="/x">Acme</a>, <https://a.com>) b',
    "a b",
  ],
  "in escaped parentheses": ["a \\([Acme](/x)\\) b", "a b"],
  "over a line's end": ["a ([Acme](/x),\n[Acme](/y)) b", "a b"],
  "two marks": ["a ([Acme](/x)) ([Globex](/y)) b [c](/z)", "a b c"],
  "a mark after a word in parentheses": ["(see a ([Acme](/x))) b", "(see a ) b"],
  "no mark: words between": [
    "(see [Acme](/x)) ([Acme](/x) and [Globex](/y))",
    "(see Acme ) ( Acme and Globex )",
  ],
  "no mark: a number between": ["([Acme](/x) 2)", "( Acme 2)"],
  "no mark: not closed": ["([Acme](/x), [Globex](/y) b", "( Acme , Globex b"],
  "no mark: other signs close it": ["([Acme](/x)] b", "( Acme ] b"],
  "no mark: a paragraph's end": ["([Acme](/x)\n\n)", "( Acme )"],
  "no mark: a reference without definition": ["([Acme][7])", "([Acme][7])"],
  "a link around a mark": ["[see ([Acme](/x)) b](/y)", "see ( Acme ) b"],
  "a mark of file search": ["a【7†Acme】b【12:0†acme.pdf†L1-L2】c【Acme】", "a b c【Acme】"],
  "a host name alone in parentheses": ["a (acme.com) b ( acme.com ) c（*acme.com/x*）", "a b c"],
  "not as a name is written": ["a (Fernsee.com), (Acme.com) b", "a (Fernsee.com), (Acme.com) b"],
  "not what only looks like one": [
    "a (e.g.), (node.js), (acme.com, b)",
    "a (e.g.), (node.js), (acme.com, b)",
  ],
  "an emphasised host name": ["[**samsung.com**](https://x.org) b", "b"],
  "a label that is a URL": ["[https://samsung.com](https://x.org) b", "b"],
  "a label with a host name keeps it": ["[samsung.com reviews](/x)", "samsung.com reviews"],
  "a name with a dot is not a host name": ["[Node.js](/x) [v2.0](/x)", "Node.js v2.0"],
  "a label with brackets": ["Acme [[1]](https://a.com) b", "Acme [1] b"],
  "a label that follows a word": ["Acme[1](https://a.com), Acme[b](/c)d", "Acme 1 , Acme b d"],
  "an image": ["a ![Acme](/acme.png) b", "a b"],
  "an image in a link": ["a [![Acme](/acme.png) c](/x) b", "a c b"],
  "an image with a link in it": ["a ![x [Acme](/y) z](/acme.png) b", "a b"],
  "a reference": ["[x][Acme] b\n\n[acme]: https://acme.com 'Acme'\n", "x b"],
  "a collapsed reference": ["[x][] b\n\n[X]: <https://acme.com>", "x b"],
  "a shortcut reference": ["Acme[1] b\n[1]: https://a.com", "Acme 1 b"],
  "a host name as reference": ["[acme.com] b\n[acme.com]: /x", "b"],
  "an image by reference": ["![Acme][1] b\n[1]: /x", "b"],
  "a reference without definition": ["[x][Acme] b", "[x][Acme] b"],
  "no definition: prose": ["[Note]: Acme", "[Note]: Acme"],
  "no definition: a footnote": ["[^1]: Acme https://a.com", "[^1]: Acme"],
  "HTML's links": ['<a title="Acme" href="/x">y</a> b', "y b"],
  "HTML's links to a named host": ['a <a href="/x">acme.com</a> b', "a b"],
  "HTML's images": ['a <img alt="Acme > b" src=x> c', "a c"],
  "HTML's inline tags": ["<b>Sam</b>sung", "Samsung"],
  "HTML's other tags": ["<td>Acme</td><td>Labs</td>", "Acme Labs"],
  "HTML's comments": ["a <!-- Acme > --> b", "a b"],
  "XML with attributes": ['a <grok:render card="Acme"></grok:render> b', "a b"],
  "no tag: an unknown word": ["<Acme> and a <b and c", "<Acme> and a <b and c"],
  "escaped brackets": ["\\[x\\](Acme) \\<b>", "[x](Acme) <b>"],
};

test("links are cut, labels stay", async (t) => {
  for (const [what, [text, expected]] of Object.entries(cases)) {
    await t.test(what, () => assert.equal(prose(text), expected));
  }
});

test("no name is read across a link that is gone", () => {
  const extract = compileExtractor([
    { names: [{ text: "Apple Watch", caseSensitive: false }], domains: [] },
  ]);
  const found = (text: string) => extract({ text, citations: [] }).mentions.length;
  assert.equal(found("Apple https://a.com Watch"), 0);
  assert.equal(found("Apple [a.com](/x) Watch"), 0);
  assert.equal(found("<td>Apple</td><td>Watch</td>"), 0);
  assert.equal(found("[Apple](/x) Watch"), 1);
  assert.equal(found("Apple<br>Watch"), 1);
});
