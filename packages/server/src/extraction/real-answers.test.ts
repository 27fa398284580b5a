import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { canonicalUrl } from "./canonical-url.ts";
import { type AnswerContent, compileExtractor } from "./compile-extractor.ts";

const file = new URL(
  "../../../../../shared/data/product-recommendations/answers.ndjson",
  import.meta.url,
);

const entities = Object.entries({
  Samsung: [["Galaxy"], ["samsung.com"]],
  Apple: [["iPhone", "MacBook", "iPad", "AirPods", "Apple Watch", "Vision Pro"], ["apple.com"]],
  Google: [["Pixel"], ["google.com", "store.google.com"]],
  Sony: [["PlayStation"], ["sony.com"]],
  LG: [[], ["lg.com"]],
  Bose: [["QuietComfort"], ["bose.com"]],
  Yamaha: [["Clavinova"], ["yamaha.com"]],
} satisfies Record<string, [aliases: string[], domains: string[]]>);

const extract = compileExtractor(
  entities.map(([name, [aliases, domains]]) => ({
    names: [name, ...aliases].map((text) => ({ text, caseSensitive: false })),
    domains,
  })),
);

type RealAnswer = AnswerContent & { readonly id: string };

/**
 * The answers, or null, said plainly, where they are not at hand: they are kept outside the
 * repository.
 */
function realAnswers(t: TestContext): readonly RealAnswer[] | null {
  if (!existsSync(file)) {
    t.diagnostic(`nothing was checked: there are no real answers at ${file.pathname}`);
    return null;
  }
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line): RealAnswer => JSON.parse(line));
}

test("real answers: what was read by hand", (t) => {
  const answers = realAnswers(t);
  if (answers === null) return;
  const names = (indexes: readonly number[]) => indexes.map((index) => entities[index]?.[0]);
  const read = (id: string) => {
    const answer = answers.find((each) => each.id === id);
    assert.ok(answer);
    const { mentions, citedEntities, citations } = extract(answer);
    return [names(mentions), names(citedEntities), citations.map(({ domain }) => domain)];
  };
  assert.deepEqual(read("a9d0723d-e40f-50c6-a0b6-b91bece46c4e"), [
    ["Apple", "Samsung", "Google"],
    [],
    ["tomsguide.com", "forbes.com"],
  ]);
  assert.deepEqual(read("0a60c5c1-2be4-5cc8-8a0a-567989b039b5"), [
    ["Sony", "Bose"],
    [],
    ["soundguys.com", "audio46.com", "musictech.com", "homestudiobasics.com"],
  ]);
  assert.deepEqual(read("653ae23f-f339-53b5-af32-74315f69433f"), [
    ["Yamaha"],
    ["Yamaha"],
    ["yamaha.com", "musiccitypianos.com", "yamaha.com", "falcettipianos.com"],
  ]);
});

test("real answers: 144 answers, 470 citations, each in its canonical form", (t) => {
  const answers = realAnswers(t);
  if (answers === null) return;
  const citations = answers.flatMap((answer) => extract(answer).citations);
  assert.equal(answers.length, 144);
  assert.equal(citations.length, 470);
  for (const { url } of citations) {
    assert.equal(canonicalUrl(url), url);
    assert.doesNotMatch(url, /\/\/www\.|srsltid|utm_|#/);
  }
});

test("real answers: plain search for whole words finds the same mentions", (t) => {
  const answers = realAnswers(t);
  if (answers === null) return;
  for (const answer of answers) {
    const found = entities.flatMap(([name, [aliases]], index) => {
      const words = [name, ...aliases].map((text) => text.replaceAll(" ", "[\\s-]"));
      const flags = name === "LG" ? "u" : "iu";
      const pattern = new RegExp(
        `(?<![\\p{L}\\p{Nd}])(?:${words.join("|")})(?![\\p{L}\\p{Nd}])`,
        flags,
      );
      return pattern.test(answer.text) ? [index] : [];
    });
    assert.deepEqual(extract(answer).mentions.toSorted(), found, answer.id);
  }
});
