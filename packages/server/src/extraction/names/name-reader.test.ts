import assert from "node:assert/strict";
import { test } from "node:test";
import { compileFullExtractor } from "../compile-extractor.ts";
import { nameKey, nameNumber } from "./name-key.ts";
import { NameBits } from "./name-reader.ts";
import { wordsOfName } from "./tokens.ts";

const read = compileFullExtractor([
  { names: [{ text: "Acme", caseSensitive: false }], domains: ["acme.example"] },
  { names: [{ text: "Globex", caseSensitive: false }], domains: [] },
]);

const citing = (...hosts: readonly string[]) =>
  hosts.map((host) => ({ url: `https://${host}/a`, cited: true }));

/** The names of a text, in its order. */
function namesIn(text: string, hosts: readonly string[] = []): readonly string[] {
  const { names } = read({ text, citations: citing(...hosts) });
  return names.toSorted((a, b) => a.start - b.start || a.end - b.end).map(({ name }) => name);
}

const texts: Readonly<Record<string, readonly [text: string, ...names: string[]]>> = {
  "a name in the middle of a sentence": ["The tents of Tarnfell are light.", "Tarnfell"],
  "a word at the beginning of a sentence is none": ["Light tents are dear. Many are warm."],
  "a name of several words": [
    "You may like the Tarnfell Ridge Pro of 2026.",
    "Tarnfell",
    "Tarnfell Ridge",
    "Tarnfell Ridge Pro",
  ],
  "what an ampersand joins is one name": ["Ask for Hill & Weidenau today.", "Hill & Weidenau"],
  "a model belongs to none": ["It is the Tarnfell X200 that we like.", "Tarnfell"],
  "heads of items": [
    "1. Tarnfell – light\n2. **Weidenau**: warm\n- Ostrava (dear)",
    "Tarnfell",
    "Weidenau",
    "Ostrava",
  ],
  "heads of rows": [
    "| Tent | Weight |\n| --- | --- |\n| Tarnfell | 1 kg |",
    "Tent",
    "Weight",
    "Tarnfell",
  ],
  "labels of links, and no targets": [
    "See [Tarnfell](https://example.com/Some_Page) for more.",
    "Tarnfell",
  ],
  "no addresses": ["See https://Example.com/Great/Tents for more."],
  "cells that a page glues together": [
    "999 $ • Acme + weitereTarnfell Ridge 21.599 $ + weitereWeidenau 2",
    "Tarnfell",
    "Tarnfell Ridge",
    "Weidenau",
  ],
  possessives: ["We like Tarnfell's poles and Weidenau’s bags.", "Tarnfell", "Weidenau"],
  "words within hyphens": ["It is a Co-op or a Mach-E.", "Co-op", "Mach-E"],
  "names of tracked entities are none": ["We like ACME and Globex, and Acme Ridge.", "Ridge"],
  "months, days and places are none": ["In May, on Monday, in France and in New York, we sleep."],
  "a name that a cited domain is called by": ["Weidenau wins."],
  "German nouns are none": ["Die Zelte sind mit dem Boden und der Plane nicht schwer."],
  "German names where they are marked": [
    "Die Zelte von „Tarnfell“ sind mit dem Boden und der Plane nicht schwer.\n- Weidenau: warm",
    "Tarnfell",
    "Weidenau",
  ],
  "Japanese names in quotes and heads": [
    "おすすめは「タルンフェル」です。\n・ワイデナウ：軽い",
    "タルンフェル",
    "ワイデナウ",
  ],
  "Latin names in Japanese": ["軽いテントはTarnfellです。", "Tarnfell"],
};

for (const [about, [text, ...names]] of Object.entries(texts)) {
  test(about, () => assert.deepEqual(namesIn(text), names));
}

test("a cited domain that is called like a word makes a name of it", () => {
  assert.deepEqual(namesIn("Weidenau wins.", ["www.weidenau.example"]), ["Weidenau"]);
  const [name] = read({ text: "Weidenau wins.", citations: citing("weidenau.example") }).names;
  assert.equal(name?.domain, "weidenau.example");
  assert.equal((name?.bits ?? 0) & NameBits.cited, NameBits.cited);
});

/** What an answer says of its first name. */
function said(text: string) {
  const [name] = read({ text, citations: [] }).names;
  const bits = Object.entries(NameBits).filter(([, bit]) => ((name?.bits ?? 0) & bit) !== 0);
  return { bits: bits.map(([each]) => each), place: name?.place, owner: name?.owner };
}

test("what an answer says of a name", () => {
  const plain = { owner: null };
  assert.deepEqual(said("We like Tarnfell."), { ...plain, bits: [], place: 1 });
  assert.deepEqual(said("We like Tarnfell Ridge."), { ...plain, bits: ["leads"], place: 1 });
  assert.deepEqual(said("- **Tarnfell**: x"), { ...plain, bits: ["marked"], place: 1 });
  const beside = { ...plain, bits: ["beside"] };
  assert.deepEqual(said("By Acme, Acme, Globex and Tarnfell."), { ...beside, place: 3 });
  assert.deepEqual(said("By Tarnfell, then Acme."), { ...beside, place: 1 });
  const owned = { bits: ["owned", "beside"], place: 2, owner: 0 };
  assert.deepEqual(said("We like the Acme Ridge."), owned);
});

test("a name that is called like the domain of an entity is its kin", () => {
  const tracked = compileFullExtractor([
    { names: [{ text: "Acme", caseSensitive: false }], domains: ["weidenau.example"] },
  ]);
  const citations = citing("weidenau.example");
  const [alone] = tracked({ text: "By Weidenau.", citations }).names;
  assert.deepEqual([alone?.owner, alone?.bits], [0, NameBits.cited | NameBits.kin]);
  const [beside] = tracked({ text: "By Acme or Weidenau.", citations }).names;
  const { cited, kin, besideKin } = NameBits;
  assert.equal(beside?.bits, cited | kin | besideKin | NameBits.beside);
});

test("names are compared without case, accents, spaces, signs and endings of addresses", () => {
  const keys = ["Tarn-Fell", "TARNFELL", "tarn fell", "Tárnfell", "Tarnfell.com"].map(nameKey);
  assert.deepEqual([...new Set(keys)], ["tarnfell"]);
  assert.equal(nameNumber("tarnfell"), nameNumber(nameKey("Tarnfell")));
  const many = Array.from({ length: 50_000 }, (_, each) => nameNumber(`name${each}`));
  assert.equal(new Set(many).size, many.length);
  assert.ok(many.every(Number.isSafeInteger));
});

test("words are told by how they are written, those of names among them", () => {
  const { words } = read({ text: "A tent is a Tent of Tarnfell.", citations: [] });
  const [tent, tarnfell] = ["tent", "Tarnfell"].flatMap(wordsOfName);
  assert.ok(tent !== undefined && tarnfell !== undefined);
  assert.ok(words.lower.includes(tent) && words.capital.includes(tent));
  assert.ok(!words.lower.includes(tarnfell) && words.capital.includes(tarnfell));
  assert.deepEqual(wordsOfName("Tarnfell’s & Tent"), [tarnfell, tent]);
});
