import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { compileExtractor } from "./compile-extractor.ts";
import { compileEvidenceLocator } from "./locate-evidence.ts";
import { composeEdits, composeText, edited } from "./text-edits.ts";

const rulesOf = (names: readonly string[], domains: readonly string[] = []) =>
  names.map((text) => ({ names: [{ text, caseSensitive: false }], domains }));

/** The pieces of a text that are mentions, each with the name and the rank. */
function marked(text: string, ...names: readonly string[]) {
  const { mentions } = compileEvidenceLocator(rulesOf(names))({ text, citations: [] });
  return mentions.map(({ start, end, name, rank }) => [text.slice(start, end), name, rank]);
}

const cases: readonly (readonly [text: string, names: readonly string[], found: unknown[]])[] = [
  ["Buy Acme now", ["Acme"], [["Acme", "Acme", 1]]],
  [
    "ACME, Acme",
    ["Acme"],
    [
      ["ACME", "Acme", 1],
      ["Acme", "Acme", 1],
    ],
  ],
  [
    "Globex beats Acme and Globex",
    ["Acme", "Globex"],
    [
      ["Globex", "Globex", 1],
      ["Acme", "Acme", 2],
      ["Globex", "Globex", 1],
    ],
  ],
  ["see [Acme](https://acme.com) here", ["Acme"], [["Acme", "Acme", 1]]],
  ["https://acme.com/x then **Ac**me", ["Acme"], [["Ac**me", "Acme", 1]]],
  [
    "AT&amp;T and AT&T",
    ["AT&T"],
    [
      ["AT&amp;T", "AT&T", 1],
      ["AT&T", "AT&T", 1],
    ],
  ],
  ["die ﬁrma Ｓamsung", ["Firma Samsung"], [["ﬁrma Ｓamsung", "Firma Samsung", 1]]],
  [
    "Le\u0301on 🦊 Éterne",
    ["León", "Eterne"],
    [
      ["Le\u0301on", "León", 1],
      ["Éterne", "Eterne", 2],
    ],
  ],
  ["a\\_b Bambu\u00a0–\u00a0Lab", ["Bambu Lab"], [["Bambu\u00a0–\u00a0Lab", "Bambu Lab", 1]]],
  [
    "It pays.([Acme](/x))【7†Acme】 **[Fernsee.com](/y)** (fernsee.com)",
    ["Acme", "Fernsee.com"],
    [["Fernsee.com", "Fernsee.com", 1]],
  ],
  [
    "三星和삼성은",
    ["三星", "삼성"],
    [
      ["三星", "三星", 1],
      ["삼성", "삼성", 2],
    ],
  ],
];

for (const [text, names, found] of cases) {
  test(`the place of a name in the stored text: ${JSON.stringify(text)}`, () => {
    assert.deepEqual(marked(text, ...names), found);
  });
}

const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...[
          "Acme",
          "acme",
          "Ac\u00adme",
          "Globex",
          "A\u0301cme",
          "ＡＣＭＥ",
          "&amp;",
          "&#65;cme",
          "AT&T",
        ],
        ...[
          "](",
          "https://x.y/Acme",
          "![",
          "[",
          "]",
          ")",
          "<b>",
          "</b>",
          "<!--",
          "-->",
          "**",
          "_",
          "`",
        ],
        ...[
          "Fernsee.com",
          "(fernsee.com)",
          "[Fernsee.com](/x)",
          "([",
          "][1]",
          "(",
          "【7†",
          "】",
          ", ",
        ],
        ...["I would recommend ", "Avoid the ", " is excellent", " is slow. ", "the "],
        ...["\n[1]: /x", "acme globex", "完美的", "（", "）"],
        ...[" ", "\n\n", "\n- ", "é", "が", "한", "ㄱ", "ㅏ", "ﾞ", "①", "™", "🦊", "\ud83e", "\\*"],
      ),
      { maxLength: 40 },
    )
    .map((pieces) => pieces.join("")),
);

test("what is located is what is extracted, inside the text, in order and without overlap", () => {
  const rules = [
    ...rulesOf(["Acme", "Globex", "AT&T", "한", "Fernsee.com", "(Acme"], ["x.y"]),
    {
      names: [{ text: "美的", caseSensitive: false }],
      domains: [],
      except: ["完美的", "acme globex"],
    },
  ];
  const [extract, locate] = [compileExtractor(rules), compileEvidenceLocator(rules)];
  fc.assert(
    fc.property(anyText, fc.array(fc.tuple(fc.webUrl(), fc.boolean())), (text, urls) => {
      const citations = urls.map(([url, cited]) => ({ url, cited }));
      const extracted = extract({ text, citations });
      const { mentions, citations: located } = locate({ text, citations });
      for (const { entity, cues } of mentions) {
        for (const { flag, start, end } of cues) {
          assert.ok(extracted.flags.get(entity)?.has(flag), flag);
          assert.ok(0 <= start && start < end && end <= text.length, `${start}-${end}`);
        }
      }
      const flagged = mentions.flatMap(({ entity, cues }) =>
        cues.map(({ flag }) => `${entity} ${flag}`),
      );
      const extractedFlags = [...extracted.flags].flatMap(([entity, own]) =>
        Array.from(own, (flag) => `${entity} ${flag}`),
      );
      assert.deepEqual(new Set(flagged), new Set(extractedFlags));
      assert.deepEqual([...new Set(mentions.map(({ entity }) => entity))], extracted.mentions);
      let free = 0;
      for (const { start, end, entity, rank } of mentions) {
        assert.ok(free <= start && start < end && end <= text.length, `${start}-${end}`);
        assert.equal(rank, extracted.mentions.indexOf(entity) + 1);
        free = end;
      }
      const counted = located.filter(({ verdict }) => verdict === "counted");
      assert.deepEqual(
        counted.map(({ canonicalUrl, domain }) => ({ url: canonicalUrl, domain })),
        extracted.citations,
      );
    }),
    { numRuns: 3_000 },
  );
});

test("what is said of an entity stands at the mention that is nearest to the words", () => {
  const text = "**Acme** is in the list. I would recommend **Acme** to the teams; Globex is slow.";
  const { mentions } = compileEvidenceLocator(rulesOf(["Acme", "Globex"]))({ text, citations: [] });
  assert.deepEqual(
    mentions.map(({ name, cues }) => [
      name,
      cues.map(({ flag, start, end }) => [flag, text.slice(start, end)]),
    ]),
    [
      ["Acme", []],
      ["Acme", [["recommended", "I would recommend"]]],
      ["Globex", [["criticized", "slow"]]],
    ],
  );
});

test("a text that names nobody is not read for what it says of anybody", () => {
  const extract = compileExtractor(rulesOf(["Acme"]));
  const { language, flags } = extract({ text: "I would recommend the other.", citations: [] });
  assert.deepEqual([language, flags], [null, new Map()]);
  assert.equal(extract({ text: "The best of the list is Acme.", citations: [] }).language, "en");
});

test("a text is composed piece by piece as it is composed as a whole", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(edited(text, composeEdits(text)), composeText(text));
    }),
    { numRuns: 5_000 },
  );
});

test("each citation says whose it is, by which rule, and why it counts or does not", () => {
  const locate = compileEvidenceLocator([
    { names: [], domains: ["acme.com", "linkedin.com/company/acme"] },
    { names: [], domains: ["shop.acme.com"] },
  ]);
  const { citations } = locate({
    text: "",
    citations: [
      { url: "http://www.shop.acme.com/a#b", cited: true },
      { url: "https://shop.acme.com/a/", cited: true },
      { url: "https://linkedin.com/company/acme/about", cited: false },
      { url: "mailto:a@acme.com", cited: true },
    ],
  });
  assert.deepEqual(
    citations.map(({ canonicalUrl, domain, owners, verdict }) => [
      canonicalUrl,
      domain,
      owners.map(({ entity, rule }) => [entity, rule]),
      verdict,
    ]),
    [
      [
        "https://shop.acme.com/a",
        "acme.com",
        [
          [1, "shop.acme.com"],
          [0, "acme.com"],
        ],
        "counted",
      ],
      [
        "https://shop.acme.com/a",
        "acme.com",
        [
          [1, "shop.acme.com"],
          [0, "acme.com"],
        ],
        "repeated",
      ],
      [
        "https://linkedin.com/company/acme/about",
        "linkedin.com",
        [[0, "linkedin.com/company/acme"]],
        "not_cited",
      ],
      [null, null, [], "not_a_web_url"],
    ],
  );
});
