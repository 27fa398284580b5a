import assert from "node:assert/strict";
import { test } from "node:test";
import { nameKey, wordsOfName } from "../../extraction/index.ts";
import { candidateNames, inOrder, type NameSums, ordinaryWords } from "./untracked-names.ts";

/** A name that ten answers have in sentences. */
function named(name: string, more: Partial<NameSums> = {}): NameSums {
  const none = { marked: 0, leads: 0, owned: 0, cited: 0, kin: 0, besideKin: 0, onlyMarked: 0 };
  const words = { isOrdinary: false, beginsOrdinary: false };
  return { key: nameKey(name), name, answers: 10, ...none, ...words, owner: 0, ...more };
}

const entities = [
  { names: [{ text: "Acmetents" }, { text: "AT" }] },
  { names: [{ text: "Globex" }] },
];

/** The names that are kept, with the numbers of the entities of which they look like spellings. */
function kept(...names: readonly NameSums[]) {
  return candidateNames(names, entities).map(({ name, aliasOf }) => [name, aliasOf]);
}

test("words, labels, media, shops, acronyms and products of tracked entities go", () => {
  const gone = [
    named("Strong", { isOrdinary: true, marked: 9 }),
    named("Light Tents", { beginsOrdinary: true }),
    named("Weight", { marked: 10 }),
    named("Field Notes", { cited: 5 }),
    named("TechRadar"),
    named("USB", { leads: 2 }),
    named("Ridge", { owned: 3 }),
  ];
  assert.deepEqual(kept(...gone), []);
  const stays = [
    named("Light Tents", { beginsOrdinary: true, marked: 3 }),
    named("Weidenau", { marked: 9 }),
    named("Zelte", { marked: 10, onlyMarked: 10 }),
    named("Field Notes", { cited: 5, marked: 3 }),
    named("WDN", { leads: 5 }),
  ];
  assert.deepEqual(
    kept(...stays),
    stays.map(({ name }) => [name, null]),
  );
});

test("a beginning goes where nothing else begins with it", () => {
  const alone = [named("Home", { leads: 10 }), named("Home Depots")];
  assert.deepEqual(kept(...alone), [["Home Depots", null]]);
  const brand = [
    named("Tarnfell", { leads: 10 }),
    named("Tarnfell Ridge", { answers: 9 }),
    named("Tarnfell Lake", { answers: 3 }),
  ];
  assert.equal(kept(...brand).length, 3);
});

test("likely spellings are told with their entity", () => {
  const found = kept(
    named("Acmetent"),
    named("Acmetentz"),
    named("Acmetents Inc"),
    named("Globexx"),
    named("Globe Tents"),
    named("Kin", { kin: 2, owner: 2, cited: 2 }),
    named("Beside", { kin: 2, besideKin: 1, owner: 2, cited: 2 }),
  );
  assert.deepEqual(found, [
    ["Acmetent", 1],
    ["Acmetentz", 1],
    ["Acmetents Inc", 1],
    ["Globexx", 2],
    ["Globe Tents", null],
    ["Kin", 2],
    ["Beside", null],
  ]);
});

test("names come by answers and spread, and by what marks them", () => {
  const spread = { prompts: 4, providers: 1 };
  const names = [
    { ...named("Few", { answers: 4 }), ...spread },
    { ...named("Marked", { marked: 10 }), ...spread },
    { ...named("Narrow"), ...spread, prompts: 2 },
    { ...named("Plain"), ...spread },
  ];
  assert.deepEqual(
    inOrder(names).map(({ name }) => name),
    ["Marked", "Plain", "Narrow", "Few"],
  );
});

test("a word is ordinary where answers often write it in lower case", () => {
  const [tent = 0, tarnfell = 0] = ["tent", "Tarnfell"].flatMap(wordsOfName);
  const isWord = ordinaryWords([
    { word: tent, lower: 4, capital: 6 },
    { word: tarnfell, lower: 1, capital: 9 },
  ]);
  const said = ["Tent", "Tarnfell", "Tent Tarnfell", "Tarnfell Tent"].map((name) =>
    isWord({ name }),
  );
  assert.deepEqual(
    said.map(({ isOrdinary, beginsOrdinary }) => [isOrdinary, beginsOrdinary]),
    [
      [true, true],
      [false, false],
      [false, true],
      [false, false],
    ],
  );
});
