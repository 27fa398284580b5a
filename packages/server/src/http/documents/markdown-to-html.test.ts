import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownToHtml, sectionsOf, titleOf } from "./markdown-to-html.ts";

const cases: readonly (readonly [markdown: string, html: string])[] = [
  ["# A `b` c", '<h1 id="a-b-c">A <code>b</code> c</h1>'],
  [
    "## What it *does*, and isn't",
    '<h2 id="what-it-does-and-isnt">What it <em>does</em>, and isn&#39;t' +
      '<a class="anchor" href="#what-it-does-and-isnt" ' +
      'aria-label="Link to What it does, and isn\'t">#</a></h2>',
  ],
  ['`**a** <b>` & "c"', "<p><code>**a** &lt;b&gt;</code> &amp; &quot;c&quot;</p>"],
  [
    "```sh\n# <b>\n```",
    '<div class="code"><pre tabindex="0"><code class="language-sh"># &lt;b&gt;\n</code></pre>' +
      "</div>",
  ],
  [
    "| A | `b` |\n| --- | ---: |\n| [`c`](d.md) | 1 & <e> |",
    '<table><thead><tr><th>A</th><th class="number"><code>b</code></th></tr></thead>\n<tbody>\n' +
      '<tr><td class="short" data-label="A"><a href="d.md"><code>c</code></a></td>' +
      '<td class="number" data-label="b">1 &amp; &lt;e&gt;</td></tr>\n</tbody></table>',
  ],
  [
    "| | | |\n| --- | --- | --- |\n| a | b | c |",
    '<table class="wide"><thead class="empty"><tr><td></td><td></td><td></td></tr></thead>\n' +
      "<tbody>\n<tr><td>a</td><td>b</td><td>c</td></tr>\n</tbody></table>",
  ],
  ["a <b onclick=c>d</b>", "<p>a &lt;b onclick=c&gt;d&lt;/b&gt;</p>"],
  ["<script>\na()\n</script>", "&lt;script&gt;\na()\n&lt;/script&gt;"],
  ["<!-- a -->", "&lt;!-- a --&gt;"],
  ["a\n405. b", "<p>a\n405. b</p>"],
];

for (const [markdown, html] of cases) {
  test(`${JSON.stringify(markdown)} as HTML`, () => assert.equal(markdownToHtml(markdown), html));
}

test("sections are the text below each heading, and code has none", () => {
  const markdown = "# A\nb\n## `C` [d](e)\n```sh\n# f\n```\n### G\n";
  assert.deepEqual(sectionsOf(markdown), [
    { heading: { depth: 1, text: "A", anchor: "a" }, text: "b\n" },
    { heading: { depth: 2, text: "C d", anchor: "c-de" }, text: "```sh\n# f\n```\n" },
    { heading: { depth: 3, text: "G", anchor: "g" }, text: "\n" },
  ]);
});

test("the title is the first heading, without marks", () => {
  assert.equal(titleOf("a\n# `sightline` & co\n# b"), "sightline & co");
  assert.equal(titleOf("no heading"), "");
});
