import assert from "node:assert/strict";
import { test } from "node:test";
import { compileExtractor } from "./compile-extractor.ts";

/** A name with `!` before it is case-sensitive. */
function mentions(text: string, ...entities: readonly (string | readonly string[])[]): number[] {
  const rules = entities.map((names) => ({
    names: [names].flat().map((name) => ({
      text: name.replace(/^!/, ""),
      caseSensitive: name.startsWith("!"),
    })),
    domains: [],
  }));
  return [...compileExtractor(rules)({ text, citations: [] }).mentions];
}

/** Rule, text, name, whether the text mentions it. */
type Case = readonly [rule: string, text: string, name: string, mentioned: boolean];

const words: readonly Case[] = [
  ["a whole word counts", "Buy Acme now", "Acme", true],
  ["a part of a word does not", "a search engine", "Arc", false],
  ["digits belong to the word", "Acme2 and 3Acme", "Acme", false],
  ["the possessive counts", "Acme’s phones", "Acme", true],
  ["the plural does not", "two Acmes", "Acme", false],
  ["an underscore is not a letter", "the acme_labs module", "Acme", true],
  ["a name may end in a sign", "C++, not C", "C++", true],
  ["a sign needs no boundary", "C++20 and C++", "C++", true],
  ["a name may begin with a sign", "uses .NET, (.NET)", ".NET", true],
  ["and does not follow a letter", "ASP.NET, slideshare.net", ".NET", false],
  ["nor a digit", "v2.NET", ".NET", false],
  ["but may follow a script without spaces", "使用.NET开发", ".NET", true],
  ["and Hangul", "한국.NET", ".NET", true],
  ["a name may contain a sign", "by AT&T.", "AT&T", true],
  ["accented letters are letters", "chez Éterne !", "Éterne", true],
  ["accented letters join words", "Acmé1", "Acme", false],
  ["S25 stands in S25+ where that is not a name", "Galaxy S25+", "S25", true],
  ["S25+ is not in S25", "Galaxy S25", "S25+", false],
  ["the first and last word count", "Acme", "Acme", true],
  ["nothing stands in an empty text", "", "Acme", false],
  ["a name of nothing matches nothing", "a * b  - c", " *-* ", false],
  ["Han needs no boundary", "我喜欢三星手机", "三星", true],
  ["Kana needs no boundary", "このサムスンの", "サムスン", true],
  ["Thai needs no boundary", "ฉันชอบซัมซุงมาก", "ซัมซุง", true],
  ["Latin in Kana needs no boundary", "私のSonyは良い", "Sony", true],
  ["Latin in Latin does, in Kana too", "私のSonyoは良い", "Sony", false],
  ["Hangul takes particles", "삼성은 좋다", "삼성", true],
  ["Hangul needs a boundary before it", "비삼성 제품", "삼성", false],
  ["Latin takes Hangul's particles", "Samsung의 제품", "Samsung", true],
  ["an emoji is a boundary", "🏷️Samsung✔️", "Samsung", true],
  ["a keycap is a boundary", "1️⃣Samsung", "Samsung", true],
  ["a circled number is a boundary", "①Samsung②Apple", "Samsung", true],
  ["circled numbers beyond twenty are, too", "㉑Samsung㊿Apple", "Samsung", true],
  ["and zero", "⓪Samsung", "Samsung", true],
  ["a trademark sign is not a letter", "Samsung™ Galaxy®", "Samsung Galaxy", true],
  ["a raised footnote number is not a digit of the name", "Samsung¹ leads", "Samsung", true],
];

const comparison: readonly Case[] = [
  ["case is folded", "SAMSUNG", "Samsung", true],
  ["final sigma is sigma", "ΣΊΣΥΦΟΣ", "Σίσυφος", true],
  ["capital sharp s is sharp s", "STRAẞE", "Straße", true],
  ["sharp s is not ss", "STRASSE", "Straße", false],
  ["dotted capital I is i", "İstikbal", "istikbal", true],
  ["dotless i is not i", "ısuzu", "Isuzu", false],
  ["NFKC: full width", "Ｓａｍｓｕｎｇ", "Samsung", true],
  ["NFKC: ligatures", "ofﬁce", "Office", true],
  ["NFKC: half-width Kana", "ｻﾑｽﾝ", "サムスン", true],
  ["Latin accents are folded", "Skoda and Nestle", "Škoda", true],
  ["Latin accents are folded in the text", "Škoda", "Skoda", true],
  ["written apart, too", "S\u030ckoda", "Škoda", true],
  ["Greek accents are folded", "ΟΜΗΡΟΣ", "Όμηρος", true],
  ["Cyrillic accents are folded", "Елка и йогурт", "Ёлка", true],
  ["Cyrillic й is и", "Яндекс Маркет Чай", "Чаи", true],
  ["a Kana's mark is not an accent", "がらす", "からす", false],
  ["ø is a letter, no accent", "Ørsted", "Orsted", false],
  ["curly quotes are straight", "McDonald’s", "McDonald's", true],
  ["an acute accent is an apostrophe", "McDonald´s", "McDonald's", true],
  ["soft hyphens are dropped", "Sam\u00adsung", "Samsung", true],
  ["zero-width characters are dropped", "Sam\u200bs\u200du\u2060n\ufeffg", "Samsung", true],
  ["direction marks are dropped", "\u200fSamsung\u200e", "Samsung", true],
  ["emphasis inside words is dropped", "**Sam**sung", "Samsung", true],
  ["all kinds of it", "*S*a~~m~~s***u***ng", "Samsung", true],
  ["emphasis around words is dropped", "**Bambu** _Lab_", "Bambu Lab", true],
  ["code marks are dropped", "`Bambu` Lab", "Bambu Lab", true],
  ["in names, too", "ETRADE", "E*TRADE", true],
  ["an underscore inside a word is none", "Sam_sung", "Samsung", false],
  ["invisible characters after it change nothing", "acme_\u00adlabs", "Acme", true],
  ["nor do wide ones", "acme_\u{e0001}labs", "Acme", true],
  ["nor those between marks", "the snake_\u200b_case", "snake__case", true],
  ["a bullet is none", "Apple * Watch", "Apple Watch", false],
  ["nor is one with an invisible character", "Apple *\u200b Watch", "Apple Watch", false],
  ["spaces are alike", "Bambu \t\u00a0 Lab", "Bambu Lab", true],
  ["hyphens are spaces", "Coca Cola", "Coca-Cola", true],
  ["all dashes are", "Coca\u2011Cola", "Coca Cola", true],
  ["even spaced ones", "Coca – Cola", "Coca-Cola", true],
  ["no space is not a space", "BambuLab", "Bambu Lab", false],
  ["a line break is a space", "Bambu\r\nLab", "Bambu Lab", true],
  ["a paragraph's end is not", "Bambu\r\n \r\nLab", "Bambu Lab", false],
  ["a list item begins a new phrase", "- Apple\n- Watch", "Apple Watch", false],
  ["entities are decoded", "AT&amp;T", "AT&T", true],
  ["named letters", "Nestl&eacute;", "Nestlé", true],
  ["numbers", "Nestl&#233; &#x41;T", "Nestlé AT", true],
  ["Windows' numbers", "McDonald&#146;s", "McDonald's", true],
  ["once", "AT&amp;amp;T", "AT&T", false],
  ["in names, too", "AT&T", "AT&amp;T", true],
  ["Markdown's escapes are resolved", "C\\+\\+ by AT\\&T", "AT&T", true],
];

const shortNames: readonly Case[] = [
  ["two characters match in their own case", "an LG screen", "LG", true],
  ["and in no other", "lg, Lg", "LG", false],
  ["one character too", "x", "X", false],
  ["three in any", "dji", "DJI", true],
  ["accents do not count as case", "BÄ", "BA", true],
  ["case-sensitive names match as written", "Keeper is secure", "!Keeper", true],
  ["and not otherwise", "a keeper, KEEPER", "!Keeper", false],
  ["both together are decided at each position", "keeper or Keeper", "!Keeper", true],
];

for (const [group, cases] of Object.entries({ words, comparison, shortNames })) {
  test(`names in prose: ${group}`, async (t) => {
    for (const [rule, text, name, mentioned] of cases) {
      await t.test(rule, () => assert.deepEqual(mentions(text, name), mentioned ? [0] : []));
    }
  });
}

test("rank: entities stand in the order of first mention", () => {
  assert.deepEqual(mentions("Sony, Apple, Sony, Bose", "Apple", "Bose", "Sony"), [2, 0, 1]);
});

test("aliases count for their entity", () => {
  assert.deepEqual(mentions("The Galaxy and the iPhone", ["Samsung", "Galaxy"], "iPhone"), [0, 1]);
});

test("the leftmost name wins, then the longest, over all entities", () => {
  const names = ["Samsung", "Samsung Galaxy S25", "Samsung Galaxy S25+", "Galaxy"];
  assert.deepEqual(mentions("Samsung Galaxy S25+", ...names), [2]);
  assert.deepEqual(mentions("Samsung Galaxy S26", ...names), [0, 3]);
  assert.deepEqual(mentions("New York Times Square", "York Times", "Times Square"), [0]);
});

test("a longer name that fails gives way to a shorter one at the same place", () => {
  assert.deepEqual(mentions("Apple Watches", "Apple Watch", "Apple"), [1]);
  assert.deepEqual(mentions("Apple watch", "!Apple Watch", "Apple"), [1]);
});

test("a name inside a longer candidate that fails is still found", () => {
  assert.deepEqual(mentions("a b c x", "a b c d", "b"), [1]);
});

test("of two entities with one name the first owns it", () => {
  assert.deepEqual(mentions("Acme", "acme", "ACME"), [0]);
});

test("a case-sensitive name leaves other cases to the next entity", () => {
  assert.deepEqual(mentions("keeper", "!Keeper", "keeper"), [1]);
  assert.deepEqual(mentions("Keeper", "!Keeper", "keeper"), [0]);
});

test("a name longer than one skip is found", () => {
  const long = `${"Very ".repeat(60)}Long`;
  assert.deepEqual(mentions(`Of ${long}, ${long}er and others`, long), [0]);
  assert.deepEqual(mentions(`Of ${long}er and others`, long), []);
});

/** The entities mentioned; each is a name and the phrases inside which it does not count. */
function mentionsExcept(text: string, ...entities: readonly (readonly string[])[]): number[] {
  const rules = entities.map(([name = "", ...except]) => ({
    names: [{ text: name, caseSensitive: false }],
    domains: [],
    except,
  }));
  return [...compileExtractor(rules)({ text, citations: [] }).mentions];
}

test("a name inside a phrase that is not a mention does not count", () => {
  const midea = ["美的", "完美的", "最美的"];
  assert.deepEqual(mentionsExcept("推荐美的空调和格力空调", midea, ["格力"]), [0, 1]);
  assert.deepEqual(mentionsExcept("这是一个完美的选择，最美的外观", midea), []);
  assert.deepEqual(mentionsExcept("完美的美的", midea), [0]);
  const spar = ["Spar", "spar penge"];
  assert.deepEqual(mentionsExcept("**Spar** Penge i dag", spar), []);
  assert.deepEqual(mentionsExcept("Spar penge hos Spar", spar), [0]);
  assert.deepEqual(mentionsExcept("spar pengene", spar), [0], "a phrase is whole words");
});

test("phrases are matched leftmost, then longest, with the names of all entities", () => {
  assert.deepEqual(mentionsExcept("Netto 400 gram", ["Netto", "Netto 400"], ["400 gram"]), []);
  assert.deepEqual(mentionsExcept("Spar penge nu", ["Spar", "spar penge"], ["Spar penge nu"]), [1]);
  assert.deepEqual(mentionsExcept("Spar Nord", ["Spar", "Spar Nord"], ["Spar Nord"]), [1]);
  assert.deepEqual(mentionsExcept("Spar", ["Spar", "Spar"]), [0], "a name stays one");
});

test("a label that is a host name counts where it is a name", () => {
  const site = "[Fernsee.com](https://www.fernsee.com)";
  assert.deepEqual(mentions(`1. **${site}**\n2. Globex`, "Globex", "Fernsee.com"), [1, 0]);
  assert.deepEqual(mentions(site, "Fernsee"), [], "not where it holds a name");
  assert.deepEqual(mentions("[fernsee.com](/x) is cheap", "Fernsee.com"), [0], "compared as names");
  assert.deepEqual(mentions("[fernsee.com](/x)", "!Fernsee.com", "Fernsee"), [], "in its own case");
  assert.deepEqual(mentions("[fernsee.com](/x)", ["!Fernsee.com", "FERNSEE.COM"]), [0]);
});

test("a source mark mentions nobody", () => {
  const defined = "\n\n[1]: https://acme.com 'Acme'\n[2]: https://b.com";
  const names = ["Acme", "Globex", "Fernsee.com"];
  assert.deepEqual(mentions(`It pays 2 %.([Acme][1], [Globex][2])${defined}`, ...names), []);
  assert.deepEqual(mentions(`According to [Acme][1], it pays.${defined}`, ...names), [0]);
  assert.deepEqual(mentions("It pays.【7†Acme】", ...names), []);
  assert.deepEqual(mentions("Cheap. ([fernsee.com](/x)) (fernsee.com)", ...names), []);
  assert.deepEqual(mentions("Cheap at fernsee.com (Fernsee.com).", ...names), [2]);
});

test("a sign in a source mark may be written as an entity", () => {
  const [acme, globex] = ["[Acme](https://acme.com)", "[Globex](https://b.com)"];
  const between = (text: string) =>
    mentions(`It pays. (${acme}${text}${globex})`, "Acme", "Globex");
  const signs = [
    "&nbsp;",
    "&#160;",
    "&#xA0;",
    " &amp; ",
    " &middot; ",
    "&#44;&#32;",
    "&ThickSpace;",
  ];
  for (const text of signs) assert.deepEqual(between(text), [], text);
  for (const text of signs) {
    const atEdges = `It pays. (${text}${acme}${text})`;
    assert.deepEqual(mentions(atEdges, "Acme"), [], atEdges);
  }
  const prose = ["&eacute;", " &#97;nd ", " &ssh; ", "&nbsp", " &nosuch; ", "&amp;amp;", ";and;"];
  for (const text of prose) assert.deepEqual(between(text), [0, 1], text);
  const brackets = `It pays. &#40;${acme}&comma; ${globex}&rpar;`;
  assert.deepEqual(mentions(brackets, "Acme", "Globex"), []);
  assert.deepEqual(mentions(`It pays. (${acme}&rpar; ${globex}`, "Acme", "Globex"), [1]);
  assert.deepEqual(mentions(`It pays. &lpar;${acme}&rsqb;`, "Acme"), [0]);
});

test("a domain is not a name", () => {
  const extract = compileExtractor([
    { names: [{ text: "Globex Corporation", caseSensitive: false }], domains: ["globex.com"] },
  ]);
  const { mentions: found } = extract({ text: "See globex.com and Globex", citations: [] });
  assert.deepEqual(found, []);
});
