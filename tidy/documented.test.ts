import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdown } from "./markdown.ts";
import { assertRule } from "./rule.ts";
import { documentedRules } from "./rules.ts";

for (const rule of documentedRules) assertRule(rule);

test("Markdown is taken apart into links, anchors and fenced lines", () => {
  const text = `# A [link](a.md "title") in it

- \`\`\`sh
  ./sightline serve
  \`\`\`
~~~
[no](link.md)
\`\`\`
~~~
See [b](b.md#c), \`[no](link.md)\` and ![d](d.png).`;
  assert.deepEqual(readMarkdown(text), {
    links: [
      { target: "a.md", line: 1 },
      { target: "b.md#c", line: 10 },
      { target: "d.png", line: 10 },
    ],
    anchors: new Set(["a-link-in-it"]),
    fenced: [
      { text: "  ./sightline serve", line: 4 },
      { text: "[no](link.md)", line: 7 },
      { text: "```", line: 8 },
    ],
  });
});
