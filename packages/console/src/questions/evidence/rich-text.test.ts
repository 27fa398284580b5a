import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Located, layersOf, type Piece, piecesOf } from "./marked-text.ts";
import { notesOf, plainText, type RichNode, recordedText, richTextOf } from "./rich-text.ts";

/** The tree of a text, which has to be there. */
function treeOf(text: string, mentions: readonly Located[] = []): readonly RichNode[] {
  const nodes = richTextOf(text, layersOf(text, mentions));
  assert.ok(nodes !== null);
  return nodes;
}

/** A tree in short: <p>Take <b>Acme</b></p>. */
function drawn(nodes: readonly RichNode[]): string {
  const element = (node: RichNode): string => {
    if (node.kind === "leaf") return node.text;
    const attributes = `${node.href === undefined ? "" : ` ${node.href}`}`;
    const inner = node.children.map(element).join("");
    return `<${node.kind}${attributes}>${inner}</>`;
  };
  return nodes.map(element).join("");
}

function piecesIn(nodes: readonly RichNode[], layers: ReturnType<typeof layersOf>): Piece[] {
  return nodes.flatMap((node) =>
    node.kind === "leaf" ? [...piecesOf(node, layers)] : piecesIn(node.children, layers),
  );
}

const names = ["Acme", "Globex 7", "C++", "ÄRO", "日本", "🦊x"] as const;
const named = fc.constantFrom(...names);
const word = fc.constantFrom(
  "is",
  "a.",
  "one",
  "&amp;",
  "&eacute;",
  "\\*",
  "b@c.de",
  "_",
  "*",
  "<i>",
);

/** A line of prose with names in every dress. */
const inline = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    named,
    word,
    fc
      .tuple(fc.constantFrom("*", "**", "_", "~~", "`", "***"), tie("node"))
      .map(([s, n]) => s + n + s),
    tie("node").map((inner) => `[${inner}](https://a.example/b?c=d "t")`),
    tie("node").map((inner) => `![${inner}](https://a.example/i.png)`),
    fc.tuple(tie("node"), tie("node")).map(([a, b]) => `${a} ${b}`),
    named.map((name) => `${name.slice(0, 2)}**${name.slice(2)}**`),
  ),
})).node;

const blocks = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    inline,
    fc
      .tuple(fc.constantFrom("# ", "### ", "> ", "- ", "1. ", "    ", "<div> "), inline)
      .map((each) => each.join("")),
    fc.array(inline, { minLength: 1, maxLength: 3 }).map((cells) => {
      const row = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
      return [row(cells), row(cells.map(() => "-")), row(cells), row([...cells, ""])].join("\n");
    }),
    inline.map((inner) => `\`\`\`js\n${inner}\n  more\n\`\`\``),
    tie("block").map((inner) =>
      inner
        .split("\n")
        .map((line) => `> ${line}`)
        .join("\n"),
    ),
    tie("block").map((inner) => `- ${inner.split("\n").join("\n  ")}`),
    inline.map((inner) => `[r]: https://r.example '${inner.replaceAll("'", "")}'\n\n[${inner}][r]`),
  ),
})).block;

const document = fc.array(blocks, { maxLength: 5 }).map((all) => all.join("\n\n"));

/** Every place in a text at which a name stands. */
function mentionsIn(text: string): readonly Located[] {
  return names.flatMap((name) =>
    [...text.matchAll(new RegExp(name.replaceAll("+", "\\+"), "g"))].map(({ index }) => ({
      entityId: name,
      start: index,
      end: index + name.length,
    })),
  );
}

test("marks cover the characters that mentions do, and no word is lost or moved", () => {
  fc.assert(
    fc.property(document, (text) => {
      const mentions = mentionsIn(text);
      const layers = layersOf(text, mentions);
      const nodes = richTextOf(text, layers);
      assert.ok(nodes !== null);
      const pieces = piecesIn(nodes, layers);
      let at = 0;
      for (const { start, end, text: its } of pieces) {
        assert.ok(start >= at && end > start);
        if (its.length === end - start) assert.equal(its, text.slice(start, end));
        at = end;
      }
      for (const { start, end, entityId } of layers.mentions) {
        const marked = pieces.filter(({ mention }) => mention?.start === start);
        assert.equal(marked.map((piece) => piece.text).join(""), text.slice(start, end));
        assert.ok(marked.every(({ mention }) => mention?.entityId === entityId));
      }
      const inMentions = layers.mentions.reduce((sum, { start, end }) => sum + end - start, 0);
      const inMarks = pieces.filter(({ mention }) => mention !== null);
      assert.equal(
        inMarks.reduce((sum, piece) => sum + piece.text.length, 0),
        inMentions,
      );
    }),
  );
});

test("any text is read: its letters are shown once, in order", () => {
  const signs = fc.constantFrom(..."*_~[]()!`<>&\\#-+|:.\n\t 1aB");
  fc.assert(
    fc.property(fc.string({ unit: signs, maxLength: 200 }), (text) => {
      const layers = layersOf(text, []);
      const pieces = piecesIn(richTextOf(text, layers) ?? [], layers);
      const shown = pieces.map((piece) => text.slice(piece.start, piece.end)).join("");
      // What is not shown is an address, its title or the language of code.
      const all = text.replaceAll(/[^aB]/g, "");
      const found = shown.replaceAll(/[^aB]/g, "");
      let from = 0;
      for (const letter of found) {
        from = all.indexOf(letter, from) + 1;
        assert.ok(from > 0);
      }
      if (!/[[<`~]/.test(text)) assert.equal(found, all);
    }),
  );
});

test("Markdown becomes a tree", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["Take **Acme *now***.", "<paragraph>Take <strong>Acme <emphasis>now</></>.</>"],
    ["# Best ##\n---", "<heading> Best </><rule></>"],
    ["1\\. &amp; &#8211; &x;", "<paragraph>1. & – &x;</>"],
    ["a  \nb<br>c", "<paragraph>a\nb\nc</>"],
    ["> a\n> - b\n>   c", "<quote><paragraph>a</><list><item><paragraph>b\n   c</></></></>"],
    ["3. a\n4. b", "<numbered><item><paragraph>a</></><item><paragraph>b</></></>"],
    [
      "|a|b|\n|-|-|\n|**x**||",
      "<table><head><cell>a</><cell>b</></><row><cell><strong>x</></><cell></></></>",
    ],
    ["```js\nx <b>\n  y\n```", "<block code>x <b>\n  y</>"],
    ["~~a~~ `b  c`", "<paragraph><deleted>a</> <code>b  c</></>"],
    [
      '[Acme](https://acme.example/x?a=1&amp;b=2 "t")',
      "<paragraph><link https://acme.example/x?a=1&b=2>Acme</></>",
    ],
    [
      "https://acme.example/x, www.a.example",
      "<paragraph><link https://acme.example/x>https://acme.example/x</>, " +
        "<link https://www.a.example/>www.a.example</></>",
    ],
    ["<https://acme.example>", "<paragraph><link https://acme.example/>https://acme.example</></>"],
    [
      "[a][r] [r] [b]\n\n[r]: https://r.example",
      "<paragraph><link https://r.example/>a</> <link https://r.example/>r</> [b]</>" +
        "<recorded>[r]: https://r.example</>",
    ],
    [
      "![Acme *at* work](https://a.example/i.png)",
      "<paragraph><image https://a.example/i.png>Acme <emphasis>at</> work</></>",
    ],
  ];
  for (const [text, expected] of cases) assert.equal(drawn(treeOf(text)), expected, text);
});

test("nothing of a hostile text can run: HTML is text, and links lead to the web alone", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["<script>alert(1)</script>", "<recorded><script>alert(1)</script></>"],
    ["a <img src=x onerror=alert(1)> b", "<paragraph>a <img src=x onerror=alert(1)> b</>"],
    ["[a](javascript:alert(1))", "<paragraph><link>a</></>"],
    ["[a](&#106;avascript:alert(1))", "<paragraph><link>a</></>"],
    ["[a](data:text/html,x) <javascript:alert(1)>", "<paragraph><link>a</> javascript:alert(1)</>"],
    ["![a](file:///etc/passwd) a@b.example", "<paragraph><image>a</> a@b.example</>"],
    ["[a](//b.example) [c](/d) [e](https://)", "<paragraph><link>a</> <link>c</> <link>e</></>"],
    ["[r]\n\n[r]: vbscript:x", "<paragraph><link>r</></><recorded>[r]: vbscript:x</>"],
    [
      '[a](HTTPS://A.example/"onclick=x)',
      "<paragraph><link https://a.example/%22onclick=x>a</></>",
    ],
  ];
  for (const [text, expected] of cases) assert.equal(drawn(treeOf(text)), expected, text);
});

test("a mention in what is not shown otherwise is seen", () => {
  const text = 'See [it](https://acme.example "by Acme") and\n```Acme\nx\n```';
  const mentions = mentionsIn(text);
  const layers = layersOf(text, mentions);
  const marked = piecesIn(treeOf(text, mentions), layers).filter(({ mention }) => mention !== null);
  assert.deepEqual(
    marked.map((piece) => piece.text),
    ["Acme", "Acme"],
  );
});

/** As deep as a page can draw, and as React can. */
const depthMax = 64;

function depthOf(nodes: readonly RichNode[]): number {
  let deepest = 0;
  for (const node of nodes) {
    if (node.kind !== "leaf") deepest = Math.max(deepest, 1 + depthOf(node.children));
  }
  return deepest;
}

test("hostile nesting is read in bounded depth, and texts of too many parts as recorded", () => {
  const pieces = [
    ...[">", "> ", "- ", "1. ", "> - ", "*", "**a ", "a* ", "*a_ ", "*a **a ", "~~a ", "`a``b"],
    ...["[", "[a](", "[]", "![", "]", "<", "<a ", "<!--a", "<?a", "|", "&", "\\", "www.a.", "a@b."],
    ...["# a\n", "[a]: b\n", "a\n", ">\n", "```\n", "\n", " ", "|a|b|\n|-|-|\n", "a* a\n\n"],
  ];
  for (const piece of pieces) {
    const length = [">", "*"].includes(piece) ? 100_000 : 20_000;
    const text = piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
    const nodes = richTextOf(text, layersOf(text, []));
    if (nodes !== null) assert.ok(depthOf(nodes) <= depthMax, piece);
  }
  assert.equal(depthOf(treeOf(`${">".repeat(1_000)}a`)), 24);
  const nested = `${"*a **a ".repeat(6_000)}b${"** a*".repeat(6_000)}`;
  assert.ok(depthOf(treeOf(nested)) <= depthMax);
  assert.equal(richTextOf("a".repeat(100_001), layersOf("", [])), null);
  assert.equal(richTextOf("# a\n".repeat(25_000), layersOf("", [])), null);
});

test("an excerpt has no signs of Markdown, and its marks say the same words", () => {
  const text =
    "### Best\n\n1. **Ac**me ([a.example](https://a.example/?utm_source=openai)), or\n" +
    "   *Globex 7*\n\n|x|\n|-|\n|C++|";
  const acme = { entityId: "acme", start: text.indexOf("Ac"), end: text.indexOf("me (") + 2 };
  const mentions = [acme, ...mentionsIn(text)];
  const layers = layersOf(text, mentions);
  const plain = plainText(treeOf(text, mentions), layers);
  assert.equal(plain.text, "Best Acme (a.example), or Globex 7 x C++");
  assert.deepEqual(
    plain.mentions.map(({ entityId, start, end }) => [entityId, plain.text.slice(start, end)]),
    [
      ["acme", "Acme"],
      ["Globex 7", "Globex 7"],
      ["C++", "C++"],
    ],
  );
  assert.equal(plainText(recordedText(text), layers).text, text.replaceAll(/\s+/g, " "));
});

test("numbers stand behind the last words of a sentence, and after a link", () => {
  const text = "Acme **wins**. [Globex](https://g.example) too.";
  const place = (part: string) => {
    return { start: text.indexOf(part), end: text.indexOf(part) + part.length };
  };
  const statements = [
    { citations: [1, 0], ...place("Acme **wins**.") },
    { citations: [2], ...place("[Globex](https://g.example)") },
    { citations: [3], ...place("too.") },
  ];
  const layers = layersOf(text, [], statements);
  const nodes = richTextOf(text, layers) ?? [];
  const notes = [...notesOf(nodes, layers, statements)].map(([key, citations]) => [
    typeof key === "number" ? text.slice(key).split(/\s/)[0] : key.href,
    citations,
  ]);
  assert.deepEqual(notes, [
    [".", [1, 0]],
    ["https://g.example/", [2]],
    ["too.", [3]],
  ]);
});
