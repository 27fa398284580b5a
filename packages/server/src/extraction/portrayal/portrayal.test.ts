import assert from "node:assert/strict";
import { test } from "node:test";
import { compileEvidenceLocator } from "../locate-evidence.ts";
import { portray, portrayalFlags } from "./portrayal.ts";

const brands = ["Acme", "Globex", "Tarnfell"];
const locate = compileEvidenceLocator(
  brands.map((text) => ({ names: [{ text, caseSensitive: false }], domains: [] })),
);

/** By brand, each flag with the words that it rests on. */
function read(text: string): Record<string, readonly string[]> {
  const { cues } = portray(text, locate({ text, citations: [] }).mentions);
  return Object.fromEntries(
    [...cues].map(([entity, own]) => [
      brands[entity],
      own.map(({ flag, start, end }) => `${flag}: ${text.slice(start, end)}`),
    ]),
  );
}

test("each flag rests on words of the text, in its order", () => {
  assert.deepEqual(read("Acme has a great camera, but it is heavy. I'd still go with Acme."), {
    Acme: ["praised: great", "criticized: heavy", "recommended: go with"],
  });
  assert.deepEqual(portrayalFlags, [
    "recommended",
    "praised",
    "criticized",
    "discouraged",
    "notFound",
  ]);
});

test("what stands in a comparison is said of the other", () => {
  assert.deepEqual(read("Acme is cheaper than Globex."), { Acme: ["praised: cheaper"] });
  assert.deepEqual(read("Unlike Globex, Acme is very quiet."), { Acme: ["praised: quiet"] });
  assert.deepEqual(read("Acme beats Globex in every test."), { Acme: ["praised: beats"] });
});

test("an item is about the name at its head, to its end and below it", () => {
  const text =
    "My notes on these:\n\n- **Acme** – sturdy.\n  - The app is slow.\n- **Globex** – from $9.";
  assert.deepEqual(read(text), { Acme: ["praised: sturdy", "criticized: slow"] });
});

test("a section is about the name in its heading; a name of another ends that", () => {
  const text = "## Acme\n\nThe app is slow.\n\n## Nordwind 3\n\nThe app is slow and it is heavy.";
  assert.deepEqual(read(text), { Acme: ["criticized: slow"] });
});

test("columns, headings and labels of drawbacks make any words one", () => {
  const table =
    "| Name | Why we like it | Watch out for |\n|---|---|---|\n| Acme | Ships | Wires |";
  assert.deepEqual(read(`${table}\n\nThese are the two that you can get there.`), {
    Acme: ["praised: Ships", "criticized: Wires"],
  });
  assert.deepEqual(read("### Acme\n\nCons: it has wires\n\nThat is all of it."), {
    Acme: ["criticized: it has wires"],
  });
  assert.deepEqual(
    read("| | Acme | Globex |\n|---|---|---|\n| Cons | Wires | None |\n\nIt is so."),
    {
      Acme: ["criticized: Wires"],
    },
  );
});

test("alone below a heading is recommended, one of several is not", () => {
  const below = (items: string) => `### Best for travel\n\n${items}\n\nAll of these are on sale.`;
  assert.deepEqual(read(below("- Acme")), { Acme: ["recommended: Best for travel"] });
  assert.deepEqual(read(below("- Acme\n- Globex")), {});
});

test("a use and a name after it is a recommendation; a list of names is none", () => {
  assert.deepEqual(read("If you want the longest warranty, choose Acme."), {
    Acme: ["recommended: choose"],
  });
  assert.deepEqual(read("You can choose Acme or Globex there."), {});
});

test("questions and offers state nothing", () => {
  assert.deepEqual(read("Is Acme the best of them? Do you want me to recommend an Acme?"), {});
});

test("a pronoun goes on about the name before, a name of another does not", () => {
  assert.deepEqual(read("You asked about Acme. It is slow. Nordwind 3 is bulky."), {
    Acme: ["criticized: slow"],
  });
});

test("what stands in targets of links, code and sources says nothing", () => {
  assert.deepEqual(
    read("Acme is [here](https://a.example/best-choice) and at https://a.example/slow as well."),
    {},
  );
  assert.deepEqual(
    read("Acme is this:\n\n```\nAcme is slow\n```\n\nand that is all there is."),
    {},
  );
});

test("a text in a language without a table, or in no certain one, is not read", () => {
  const texts = {
    pt: "O Acme é uma boa escolha para equipes que não têm muito tempo. É rápido e seguro.",
    it: "Acme è una scelta eccellente per chi non ha molto tempo, ma è anche più caro degli altri.",
    nl: "Acme is een uitstekende keuze voor mensen die weinig tijd hebben en het is niet duur.",
    sv: "Acme är ett utmärkt val för den som inte har så mycket tid och det är inte dyrt.",
    da: "Acme er et godt valg for dem, der ikke har så meget tid, og det er ikke dyrt.",
    pl: "Acme to dobry wybór dla tych, którzy nie mają czasu, ale jest on bardzo drogi.",
    ca: "Acme és una bona opció per a qui no té gaire temps, però també és més car.",
    zh: "Acme 是最好的选择，速度快而且安静，但是价格很高。",
    ko: "Acme는 빠르고 조용하지만 가격이 비쌉니다. 추천합니다.",
    names: "Acme, Globex, Tarnfell",
    empty: "",
  };
  for (const [language, text] of Object.entries(texts)) {
    const { language: read, cues } = portray(text, locate({ text, citations: [] }).mentions);
    assert.deepEqual([language, read, cues.size], [language, null, 0]);
  }
});

test("texts in the languages of the tables are read", () => {
  const texts = {
    en: "Acme is a good choice for people who do not have much time.",
    de: "Acme ist eine gute Wahl für alle, die nicht viel Zeit haben.",
    fr: "Acme est un bon choix pour ceux qui n'ont pas beaucoup de temps.",
    es: "Acme es una buena opción para los que no tienen mucho tiempo.",
    ja: "Acmeは時間がない人にとって良い選択です。",
  };
  for (const [language, text] of Object.entries(texts)) {
    const { language: read, cues } = portray(text, locate({ text, citations: [] }).mentions);
    assert.deepEqual([read, cues.get(0)?.some(({ flag }) => flag === "praised")], [language, true]);
  }
});

test("cells of a table that was pasted without spaces belong to the name before them", () => {
  const text =
    "Acme 2Excellent screen and a warranty for what it costsSlow charger in the boxNordwind 3" +
    "Nice keysHeavy case, which is a pity for such a thing of its ageAcme 3Quiet fansBulky plug";
  assert.deepEqual(read(text), {
    Acme: ["praised: Excellent", "criticized: Slow", "praised: Quiet", "criticized: Bulky"],
  });
});

test("a product's number stands for the name before it", () => {
  const text = "Acme VR2 – the one with two lenses. If you own a console, the VR2 is excellent.";
  assert.deepEqual(read(text), { Acme: ["recommended: excellent", "praised: excellent"] });
});
