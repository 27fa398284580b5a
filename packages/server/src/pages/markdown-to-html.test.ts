import assert from "node:assert/strict";
import { test } from "node:test";
import { markdownToHtml, titleOf } from "./markdown-to-html.ts";

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
    '<div class="code"><pre tabindex="0"><code># &lt;b&gt;\n</code></pre></div>',
  ],
  [
    "| A | `b` |\n| --- | ---: |\n| [`c`](d.md) | 1 & <e> |",
    '<div class="table" tabindex="0">\n<table>\n<thead>\n<tr>\n<th>A</th>\n' +
      '<th align="right"><code>b</code></th>\n</tr>\n</thead>\n<tbody><tr>\n' +
      '<td><a href="d.md"><code>c</code></a></td>\n' +
      '<td align="right">1 &amp; &lt;e&gt;</td>\n</tr>\n</tbody></table>\n</div>',
  ],
  [
    "| | |\n| --- | --- |\n| a | b |",
    '<div class="table" tabindex="0">\n<table>\n<tbody><tr>\n<td>a</td>\n<td>b</td>\n</tr>\n' +
      "</tbody></table>\n</div>",
  ],
  [
    "| | B |\n| --- | --- |\n| a | b |",
    '<div class="table" tabindex="0">\n<table>\n<thead>\n<tr>\n<td></td>\n<th>B</th>\n</tr>\n' +
      "</thead>\n<tbody><tr>\n<td>a</td>\n<td>b</td>\n</tr>\n</tbody></table>\n</div>",
  ],
  ["a <b onclick=c>d</b>", "<p>a &lt;b onclick=c&gt;d&lt;/b&gt;</p>"],
  ["<script>\na()\n</script>", "&lt;script&gt;\na()\n&lt;/script&gt;"],
  ["<!-- a -->", "&lt;!-- a --&gt;"],
  ["a\n405. b", "<p>a\n405. b</p>"],
];

for (const [markdown, html] of cases) {
  test(`${JSON.stringify(markdown)} as HTML`, () => assert.equal(markdownToHtml(markdown), html));
}

test("the title is the first heading, without marks", () => {
  assert.equal(titleOf("a\n# `sightline` & co\n# b"), "sightline & co");
  assert.equal(titleOf("no heading"), "");
});
