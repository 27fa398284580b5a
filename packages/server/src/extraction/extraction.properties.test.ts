import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { canonicalUrl } from "./canonical-url.ts";
import { characterBits } from "./character-table.ts";
import { comparableText } from "./comparable-text.ts";
import { compileExtractor } from "./compile-extractor.ts";
import { domainOf, normalizeDomainRule } from "./domains.ts";
import { redirectWrappers } from "./redirect-wrappers.ts";

function extractorOf(names: readonly string[]) {
  const rules = names.map((text) => ({ names: [{ text, caseSensitive: false }], domains: [] }));
  const extract = compileExtractor(rules);
  return (text: string) => [...extract({ text, citations: [] }).mentions];
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  // Lone surrogates, and what Markdown, HTML and URLs are made of.
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ..."[]()<>!*_`~\\\"'&#;:/.@%?= \n\t-a",
        ...[
          "https://",
          "www.",
          "](",
          "![",
          "<a href=",
          "</a>",
          "<!--",
          "-->",
          "&amp;",
          "\n[a]: ",
          "Acme",
        ],
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join("")),
);

const host = fc.constantFrom(
  ...[
    "acme.com",
    "www.acme.com",
    "WWW.www.Acme.com.",
    "bücher.example",
    "1.2.3.4",
    "[::1]",
    "localhost",
    "www.com",
  ],
  ...["m.youtube.com", "youtu.be", "a-b--c.translate.goog", "a.cdn.ampproject.org", "google.de"],
  ...["r.search.yahoo.com", "acme.com,", "ac\u200bme.com"],
  ...redirectWrappers.map((wrapper) =>
    wrapper.host.startsWith(".") ? `e${wrapper.host}` : wrapper.host,
  ),
);
const path = fc.oneof(
  fc.constantFrom("", "/", ...redirectWrappers.map((wrapper) => wrapper.path)),
  fc.constantFrom("/amp/s/a.b/c", "/c/s/www.a.b", "/v/a.b/?x", "/x/RU=https%3a%2f%2fa.b%2f/R"),
  fc.constantFrom("/embed/a_b-c", "/a_b-c?si=1&list=2", "/watch?v=a&amp;t=1"),
  fc.string({ unit: "grapheme" }).map((text) => `/${text}`),
  fc.array(fc.constantFrom(..."/.%2eE4aA~+|[]é ")).map((pieces) => `/${pieces.join("")}`),
  fc
    .array(
      fc.constantFrom(
        ...["%", "%E2", "%80", "%8B", "%8C", "%e2%80%8b", "%C2%AD", "%D9%85", "م", "\u200b"],
        ...["\u200c", "\ufe0f", "&", "&amp;", "amp;", "%61mp;", "&#38;", "?", "=", ".", "..", "/"],
        ...["t", "utm_", "a", "2"],
      ),
    )
    .map((pieces) => `/${pieces.join("")}`),
);
const { url: anyUrl } = fc.letrec<{ url: string; query: string }>((tie) => ({
  url: fc
    .tuple(fc.constantFrom("http://", "https://", "HTTP://u:p@"), host, path, tie("query"))
    .map((parts) => parts.join("")),
  query: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("", "?", "#x", ":80/?b&a=2&a=1&&utm_x=1#y"),
    fc.string().map((text) => `?${text}`),
    fc
      .tuple(
        fc.constantFrom("?q=", "?z=1&url=", "?u=", "?q=1&q=", "?u=a1"),
        tie("url"),
        fc.boolean(),
      )
      .map(([name, url, quoted]) => {
        if (name.endsWith("a1")) return name + Buffer.from(url).toString("base64url");
        return name + (quoted ? encodeURIComponent(url.toWellFormed()) : url);
      }),
  ),
}));

test("a canonical URL is its own canonical form, and parses to itself", () => {
  fc.assert(
    fc.property(fc.oneof(anyUrl, fc.webUrl({ withQueryParameters: true }), anyText), (raw) => {
      const canonical = canonicalUrl(raw);
      if (canonical === null) return;
      assert.equal(canonicalUrl(canonical), canonical);
      assert.equal(new URL(canonical).href, canonical);
      assert.match(canonical, /^https:\/\/[^/?#@]+\/[^#]*$/);
      assert.ok(new URL(canonical).hostname.endsWith(domainOf(canonical)));
    }),
    { numRuns: 3_000 },
  );
});

test("a domain rule is its own normal form", () => {
  fc.assert(
    fc.property(fc.oneof(anyUrl, anyText, fc.domain()), (raw) => {
      const rule = normalizeDomainRule(raw);
      if (rule !== null) assert.equal(normalizeDomainRule(rule), rule);
    }),
    { numRuns: 1_000 },
  );
});

test("no text, name or URL makes extraction throw", () => {
  fc.assert(
    fc.property(anyText, fc.array(anyText), fc.array(anyText), (text, names, domains) => {
      const rules = { names: names.map((name) => ({ text: name, caseSensitive: false })), domains };
      const citations = domains.map((url) => ({ url, cited: true }));
      assert.ok(compileExtractor([rules])({ text, citations }).mentions.length <= 1);
    }),
    { numRuns: 2_000 },
  );
});

test("a name is found in itself, whatever punctuation stands around it", () => {
  const mark = fc.constantFrom(..."!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~ \n…—–«»“”‘’•、。「」🙂");
  const around = fc.array(mark, { maxLength: 3 }).map((marks) => marks.join(""));
  const name = fc.constantFrom(
    "Acme",
    "Éterne",
    "AT&T",
    "三星",
    "Bambu Lab",
    "Wi-Fi",
    "Яндекс",
    "LG",
  );
  fc.assert(
    fc.property(around, name, around, (before, text, after) => {
      fc.pre(!before.endsWith("</")); // </Acme> is the end tag of an element
      assert.deepEqual(extractorOf([text])(before + text + after), [0]);
    }),
    { numRuns: 3_000 },
  );
});

test("no name inside a link is a mention", () => {
  const inTarget = fc.constantFrom(
    "Acme",
    "/Acme",
    "acme.com",
    "x_(Acme)",
    "a/Acme?Acme=Acme#Acme",
  );
  const title = fc.constantFrom("", ' "Acme"', " 'Acme'", ' "an "Acme" (1)"');
  const link = fc.oneof(
    inTarget.map((end) => `https://www.acme.com/${end}`),
    inTarget.map((end) => `www.acme.com/${end}`),
    inTarget.map((end) => `<https://acme.com/${end}>`),
    fc.tuple(inTarget, title).map(([end, text]) => `[label](${end}${text})`),
    fc.tuple(inTarget, title).map(([end, text]) => `[acme.com](https://${end}${text})`),
    inTarget.map((end) => `![Acme](${end})`),
    inTarget.map((end) => `<a href="${end}" title="Acme">label</a>`),
    inTarget.map((end) => `<img src="${end}" alt='Acme'>`),
    inTarget.map((end) => `[label][Acme]\n\n[acme]: https://acme.com/${end} "Acme"\n\n`),
  );
  const between = fc.constantFrom(" ", " and ", "\n", "\n\n- ", " (", ") ", "**", " | ");
  const text = fc.array(fc.tuple(between, link, fc.constantFrom(" ", "\n", " x ")));
  fc.assert(
    fc.property(text, (pieces) => {
      assert.deepEqual(extractorOf(["Acme"])(pieces.flat().join("")), []);
    }),
    { numRuns: 2_000 },
  );
});

/**
 * The rule as it is written, without an automaton: leftmost, then longest, whole words. Names after
 * the first `count` are phrases that mention nobody.
 */
function mentionsByRule(
  text: string,
  names: readonly string[],
  count = names.length,
): readonly number[] {
  const isWord = (character: string | undefined) =>
    character !== undefined && /[a-z]/.test(character);
  const fits = (start: number, name: string) =>
    text.startsWith(name, start) &&
    !isWord(text[start - 1]) &&
    !(isWord(text[start + name.length]) && isWord(name.at(-1)));
  const found = new Set<number>();
  for (let at = 0; at < text.length; at += 1) {
    const fitting = names.filter((name) => fits(at, name));
    const longest = fitting.toSorted((left, right) => right.length - left.length)[0];
    if (longest === undefined) continue;
    if (names.indexOf(longest) < count) found.add(names.indexOf(longest));
    at += longest.length - 1;
  }
  return [...found];
}

test("of overlapping names the leftmost matches, then the longest", () => {
  const name = fc
    .array(fc.constantFrom("a", "b", "+", " a", " b"), { minLength: 1, maxLength: 6 })
    .map((pieces) => pieces.join("").trim());
  const text = fc.array(fc.constantFrom("a", "b", "+", " a", " b", "."), { maxLength: 60 });
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), text, (names, pieces) => {
      const prose = pieces.join("").trim();
      assert.deepEqual(extractorOf(names)(prose), mentionsByRule(prose, names));
    }),
    { numRuns: 5_000 },
  );
});

test("so do phrases inside which names do not count, with the names", () => {
  const word = fc.constantFrom("aaa", "aaa+", "+aaa", "bbb", "aaa bbb", "bbb aaa", "aaa bbb aaa");
  const text = fc.array(fc.oneof(word, fc.constantFrom(" ", "+", ".", "b")), { maxLength: 30 });
  const property = fc.property(
    fc.uniqueArray(word, { minLength: 1 }),
    fc.nat({ max: 7 }),
    text,
    (all, nameable, pieces) => {
      const prose = pieces.join("").replaceAll(/ +/g, " ").trim();
      const names = all.slice(0, nameable);
      const rules = [...names, ...all.slice(nameable)].map((text, at) =>
        at < names.length
          ? { names: [{ text, caseSensitive: false }], domains: [] }
          : { names: [], domains: [], except: [text] },
      );
      const { mentions } = compileExtractor(rules)({ text: prose, citations: [] });
      assert.deepEqual([...mentions], mentionsByRule(prose, all, names.length));
    },
  );
  fc.assert(property, { numRuns: 3_000 });
});

test("no name in a source mark is a mention, whatever signs are in it", () => {
  const link = fc.constantFrom(
    ...["[Acme](https://a.com)", "[**Acme**](/x 'y')", "[acme.com](/x)", "[Acme][1]", "[Acme]"],
    ...['<a href="/x">Acme</a>', "[1](/acme)", "https://a.com/Acme "],
  );
  const sign = fc.constantFrom("", " ", ", ", "; ", " · ", " / ", "\n", "—", "**", "…", "🔗", "&");
  const inside = fc.tuple(fc.constantFrom(" ", ", ", "*"), link, sign);
  const mark = fc.oneof(
    fc.tuple(
      fc.constantFrom("()", "（）", "[]", "【】", "［］"),
      fc.array(inside, { minLength: 1 }),
    ),
    fc.tuple(fc.constantFrom("()", "（）"), fc.constant([["", "acme.com", ""]])),
    fc.tuple(fc.constant("【】"), fc.constant([["7†", "Acme", ""]])),
  );
  const text = fc.array(fc.tuple(fc.constantFrom("It pays.", " ", "2 % ", "\n- "), mark));
  const property = fc.property(text, (pieces) => {
    const prose = pieces.map(([before, [[open = "", close = ""], parts]]) =>
      [before, open, ...parts.flat(), close, " x"].join(""),
    );
    const answer = `${prose.join("")}\n\n[1]: https://a.com\n[acme]: https://a.com`;
    assert.deepEqual(extractorOf(["Acme", "acme.com"])(answer), [], answer);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("names are found among words that begin and end as they do", () => {
  const syllable = fc.constantFrom("ba", "bo", "da", "do", "n", "b", " ");
  const name = fc
    .array(syllable, { minLength: 1, maxLength: 5 })
    .map((syllables) => syllables.join("").replaceAll(/ +/g, " ").trim())
    .filter((text) => text.length > 2); // a shorter one is looked for in its own case
  const names = fc.uniqueArray(name, { minLength: 1, maxLength: 8 });
  const words = fc.array(fc.oneof(syllable, name), { maxLength: 40 });
  fc.assert(
    fc.property(names, words, (known, pieces) => {
      const prose = pieces.join("").replaceAll(/ +/g, " ").trim();
      assert.deepEqual(extractorOf(known)(prose), mentionsByRule(prose, known));
    }),
    { numRuns: 3_000 },
  );
});

test("a text is read as if no other had been read before it", () => {
  const word = fc.constantFrom("Acme", "Acme Cloud", "Cloudy", " ", ", ", "\n\n", "Ac", "me", "+");
  const prose = fc.array(word, { maxLength: 12 }).map((words) => words.join(""));
  const someNames = fc.constantFrom(["Acme", "Acme Cloud", "Cloudy"], ["+", "Acme"], ["me"]);
  const property = fc.property(someNames, fc.array(prose), (names, texts) => {
    const again = extractorOf(names);
    for (const text of texts) assert.deepEqual(again(text), extractorOf(names)(text));
  });
  fc.assert(property, { numRuns: 300, seed: 20_260_101 });
});

test("every character is compared as one of the same width", () => {
  for (let codePoint = 0; codePoint < 0x110000; codePoint += 1) {
    // Ideographs, and what is not assigned.
    if (codePoint >= 0x20000 && codePoint < 0xe0000) continue;
    const character = String.fromCodePoint(codePoint);
    if (/\p{Cs}/u.test(character)) continue;
    const folded = (codePoint & ~0xffff) | (characterBits(codePoint) & 0xffff);
    assert.equal(String.fromCodePoint(folded).length, character.length);
  }
});

test("a text in its compared form is compared as itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (text) => {
      const once = compared(text);
      assert.equal(compared(once), once);
    }),
    { numRuns: 1_000 },
  );
});

function compared(text: string): string {
  const { units, length } = comparableText(text);
  return String.fromCharCode(...units.subarray(0, length).map((bits) => bits & 0xffff)).trimStart();
}
