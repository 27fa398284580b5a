import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import {
  type FlagAccuracy,
  portrayalAccuracy,
} from "../../packages/server/src/extraction/portrayal/portrayal.ts";
import { type LabelledAnswer, readRealAnswers, readTexts } from "./labels.ts";
import { scoreNames } from "./names.ts";
import { accuracyModule, scoreRealPortrayal, scoreTexts, tableOfAccuracy } from "./portrayal.ts";
import { type Published, page, withFigures } from "./report.ts";
import { nameRules, pageRules } from "./rules.ts";
import { type Accuracy, mistakesIn, precision, recall, scoreOf } from "./score.ts";

const root = join(import.meta.dirname, "../..");
const realFolder = join(root, "../shared/data");
const published: Published = JSON.parse(
  readFileSync(join(import.meta.dirname, "results.json"), "utf8"),
);

/** As JSON keeps it, where nothing is undefined. */
function kept(accuracy: Accuracy): unknown {
  return JSON.parse(JSON.stringify(accuracy));
}

test("the published scores of the repository's texts are what the scorer computes", () => {
  assert.deepEqual(kept(scoreOf(readTexts())), published.texts, "run tasks/accuracy --write");
});

test("the published scores of real answers are what the scorer computes", (t: TestContext) => {
  const answers = readRealAnswers(realFolder);
  if (answers === null) {
    t.diagnostic(`nothing was checked: there are no real answers in ${realFolder}`);
    return;
  }
  assert.deepEqual(kept(scoreOf(answers)), published.realAnswers, "run tasks/accuracy --write");
});

test("the tables in README and guide are those of the published scores", () => {
  for (const path of ["README.md", page]) {
    const document = readFileSync(join(root, path), "utf8");
    assert.equal(withFigures(document, path, published), document, "run tasks/accuracy --write");
  }
});

test("the published scores of portrayal are what the scorer computes", (t: TestContext) => {
  assert.deepEqual(scoreTexts(), published.portrayal.texts, "run tasks/accuracy --write");
  const real = scoreRealPortrayal(realFolder);
  if (real === null) {
    t.diagnostic(`no answer was checked: there are no labels in ${realFolder}`);
    return;
  }
  assert.deepEqual(real, published.portrayal.realAnswers, "run tasks/accuracy --write");
});

test("the published score of untracked names is what the scorer computes", (t: TestContext) => {
  const score = scoreNames(realFolder);
  if (score === null) {
    t.diagnostic(`nothing was checked: there are no real answers in ${realFolder}`);
    return;
  }
  assert.deepEqual(score, published.names, "run tasks/accuracy --write");
});

test("four of five brands are among the first names, of which three of five are brands", () => {
  const { brands, first } = published.names;
  assert.ok(brands.found >= 0.8 * brands.named);
  assert.ok(first.right >= 0.6 * first.names);
});

test("the service's table of accuracy is that of the published scores", () => {
  const module = readFileSync(join(root, tableOfAccuracy), "utf8");
  assert.equal(accuracyModule(published.portrayal), module, "run tasks/accuracy --write");
});

test("in English each flag of which answers have labels is above the bound", () => {
  for (const flag of ["recommended", "praised", "criticized"] as const) {
    const measured: FlagAccuracy | undefined = portrayalAccuracy["en"]?.[flag];
    assert.equal(measured?.basis, "answers");
    const { precision, recall } = measured;
    assert.ok((2 * precision * recall) / (precision + recall) >= 0.75, flag);
  }
});

test("there are texts in ten scripts, about a hundred difficulties and every kind of label", () => {
  const texts = readTexts();
  assert.equal(new Set(texts.map(({ id }) => id)).size, texts.length);
  assert.equal(new Set(texts.map(({ script }) => script)).size, 10);
  assert.ok(texts.length >= 120);
  assert.ok(new Set(texts.map(({ script, about }) => `${script} ${about}`)).size >= 100);
});

test("where the real texts are not, none is read", () => {
  assert.equal(readRealAnswers(import.meta.dirname), null);
});

const entities = [{ name: "Acme", aliases: ["Ac"], domains: ["acme.com"] }];

/** An answer with its labels: places are given by what is written there. */
function labelled(text: string, written: readonly string[], urls: readonly string[] = []) {
  let from = 0;
  const mentions = written.map((name) => {
    const start = text.indexOf(name, from);
    from = start + name.length;
    return { entity: "Acme", start, end: from };
  });
  const citations = urls.map((url) => ({ canonicalUrl: url, domain: new URL(url).hostname }));
  const labels = { mentions, ranks: mentions.length === 0 ? [] : ["Acme"], citations };
  const answer = { text, citations: urls.map((url) => ({ url, cited: true })) };
  return { id: text, script: "Latin", about: "it", answer, entities, labels } as LabelledAnswer;
}

test("places, names by answer, ranks and pages are counted, each once", () => {
  const scored = scoreOf([
    labelled("Acme, Acmes and Acme", ["Acme", "Acme", "Acme"], ["https://acme.com/a"]),
    labelled("the acme of skill", []),
  ]);
  const [names, pages] = [scored.names[0], scored.pages[0]];
  assert.deepEqual(names, {
    rule: "Sightline",
    mentions: { found: 3, labelled: 3, right: 2 },
    named: { found: 2, labelled: 1, right: 1 },
    ranks: { found: 2, labelled: 1, right: 1 },
  });
  assert.deepEqual(pages?.pages, { found: 1, labelled: 1, right: 1 });
  assert.deepEqual(scored.mistakes, [{ script: "Latin", about: "it", missed: 1, wrong: 1 }]);
});

test("mistakes are told with the text around them", () => {
  assert.deepEqual(mistakesIn([labelled("Two Acmes", ["Acme"])]), [
    {
      id: "Two Acmes",
      script: "Latin",
      about: "it",
      kind: "missed",
      what: "Acme",
      context: "Two Acmes",
    },
  ]);
});

test("a share has Wilson's interval; of nothing there is none", () => {
  const share = recall({ found: 0, labelled: 263, right: 81 });
  assert.ok(share);
  const digits = [share.value, share.low, share.high].map((each) => each.toFixed(7));
  assert.deepEqual(digits, ["0.3079848", "0.2552885", "0.3662096"]);
  assert.equal(share.of, 263);
  assert.equal(precision({ found: 0, labelled: 3, right: 0 }), null);
});

test("the rules of others do what their names say", () => {
  const text = "## Acme\nacmes, Ac, **an Acme** and 私のAcmeは";
  const found = nameRules.map(({ name, read }) => [
    name,
    read(labelled(text, [])).map(({ start, end }) => text.slice(start, end)),
  ]);
  assert.deepEqual(found, [
    ["Substring", ["Acme", "acme", "Ac", "Acme", "Acme"]],
    ["Words by ASCII `\\b`", ["Acme", "Ac", "Acme", "Acme"]],
    ["Whole words of three letters or more", ["Acme", "Acme"]],
    ["Words by `Intl.Segmenter`", ["Acme", "Ac", "Acme", "Acme"]],
    ["Whole words in bold and headings", ["Acme", "Acme"]],
  ]);
});

test("the rules of others for pages do what their names say", () => {
  const urls = ["http://www.acme.com/a/?utm_source=x&b=1#c", "ftp://acme.com/a"];
  assert.deepEqual(
    pageRules.map(({ read }) => read(labelled("", [], urls)).map((each) => each.canonicalUrl)),
    [["https://www.acme.com/a?utm_source=x&b=1#c"], ["https://acme.com/a?b=1"]],
  );
});
