import assert from "node:assert/strict";
import { test } from "node:test";
import { answerText } from "./answer-text.ts";
import { launchDay } from "./calendar.ts";
import { drawCitations } from "./citations.ts";
import { type Company, companies } from "./market.ts";
import { prompts } from "./prompts.ts";
import { providers } from "./providers.ts";
import { seededRandom, shuffled } from "./random.ts";

/** Every spelling of a company, longest first, as the prose may have it. */
function spellings({ name, aliases, writtenAs }: Company): readonly string[] {
  const others = aliases.map((alias) => (typeof alias === "string" ? alias : alias.name));
  return [name, ...others, ...writtenAs];
}

/** The companies that a text names, in the order of their first names. */
function namedIn(text: string): readonly Company[] {
  // A link's target is not prose, and neither is a label that is only a host.
  const plain = text.replaceAll(/\]\([^)]*\)/g, "]").replaceAll(/\[[a-z.-]+\.example\]/g, "");
  const places = companies.map((company) => {
    const found = spellings(company).map((spelling) => plain.indexOf(spelling));
    return { company, place: Math.min(...found.map((at) => (at < 0 ? Infinity : at))) };
  });
  const named = places.filter(({ place }) => place < Infinity);
  return named.sort((one, other) => one.place - other.place).map(({ company }) => company);
}

test("a text names the companies it is given, in their order, and no other", () => {
  const random = seededRandom(1);
  for (const provider of providers) {
    for (const prompt of prompts) {
      for (const day of [0, launchDay]) {
        const mentioned = shuffled(random, companies).slice(0, random.between(0, companies.length));
        const occasion = { day, provider, region: undefined, prompt };
        const citations = drawCitations(random, occasion, mentioned);
        const text = answerText(random, { occasion, mentioned, citations });
        assert.deepEqual(namedIn(text), mentioned, text);
      }
    }
  }
});

test("a text shows its links as its provider does", () => {
  const marks = {
    OPENAI: /\(\[[a-z.-]+\]\(https?:/,
    PERPLEXITY: /[a-z.]\[1\]/,
    GROK: /\[\[1\]\]\(/,
  };
  for (const provider of providers) {
    const random = seededRandom(2);
    const occasion = { day: 0, provider, region: undefined, prompt: prompts[0] ?? assert.fail() };
    const citations = drawCitations(random, occasion, []);
    const text = answerText(random, { occasion, mentioned: [], citations });
    for (const [name, mark] of Object.entries(marks)) {
      assert.equal(mark.test(text), name === provider.name, text);
    }
  }
});
