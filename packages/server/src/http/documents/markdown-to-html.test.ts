import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { markdownToHtml, titleOf } from "./markdown-to-html.ts";

const cases: readonly (readonly [markdown: string, html: string])[] = [
  ["# A `b` c", '<h1 id="a-b-c">A <code>b</code> c</h1>'],
  ["one\ntwo\n\nthree", "<p>one\ntwo</p>\n<p>three</p>"],
  ["a **b** *c* \\*d\\*", "<p>a <strong>b</strong> <em>c</em> *d*</p>"],
  ['`**a** <b>` & "c"', "<p><code>**a** &lt;b&gt;</code> &amp; &quot;c&quot;</p>"],
  ["[`a`](/b#c) d", '<p><a href="/b#c"><code>a</code></a> d</p>'],
  ["```sh\n# a <b>\n\n- c\n```\nd", "<pre><code># a &lt;b&gt;\n\n- c</code></pre>\n<p>d</p>"],
  ["- a\n- b\n  c", "<ul><li>a</li>\n<li>b\nc</li></ul>"],
  ["1. a\n2. b\n   - c", "<ol><li>a</li>\n<li><p>b</p>\n<ul><li>c</li></ul></li></ol>"],
  [
    "| a | b |\n| --- | --- |\n| `c|d` | e\\|f |",
    '<div class="wide"><table><thead><tr><th>a</th><th>b</th></tr></thead>\n' +
      "<tbody><tr><td><code>c|d</code></td><td>e|f</td></tr></tbody></table></div>",
  ],
  [
    "| | |\n|-|-|\n| a | b |",
    '<div class="wide"><table><tbody><tr><td>a</td><td>b</td></tr></tbody></table></div>',
  ],
];

test("each kind of block and of part", () => {
  for (const [markdown, html] of cases) assert.equal(markdownToHtml(markdown), html);
});

test("the title is the first heading, without marks", () => {
  assert.equal(titleOf("a\n# `sightline` & co\n# b"), "`sightline` & co".replaceAll("`", ""));
  assert.equal(titleOf("no heading"), "");
});

test("no text becomes a tag of its own, and every text comes to an end", () => {
  const names = "h[1-6]|p|pre|code|ul|ol|li|table|thead|tbody|tr|th|td|strong|em|div|a";
  const known = new RegExp(`</?(?:${names})(?: (?:id|href|class)="[^"<>]*")?>`, "g");
  const text = fc.string({ unit: fc.constantFrom(..."ab<>&\"'`*_[]()|#-1. \n\\"), maxLength: 200 });
  fc.assert(
    fc.property(text, (markdown) => {
      assert.doesNotMatch(markdownToHtml(markdown).replace(known, ""), /[<>]/);
    }),
    { numRuns: 500 },
  );
});
