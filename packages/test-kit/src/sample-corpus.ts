const days = 59;
const providers = ["GEMINI", "OPENAI", "ANTHROPIC", "PERPLEXITY", "GROK", "COPILOT"] as const;
const regions = ["US", "de", null] as const;
const outcomes = ["answered", "answered", "answered", "absent"] as const;
const sentences = [
  "Take Acme.",
  "Globex is cheaper than **Acme**.",
  "Initech, then Globex.",
  "None of them is any good.",
  "Keeper sells them too; see [their shop](https://shop.acme.com/a?utm_source=x).",
  "日本ではAcmeが人気です。",
] as const;
const pages = [
  "https://acme.com/anvils",
  "https://www.globex.com/b?utm_source=y",
  "https://example.org/review",
  "https://user.github.io/list",
] as const;

const promptIds = [1, 2, 3, 4].map((number) => `11111111-1111-4111-8111-11111111111${number}`);

/** The workspace to which the corpus belongs, as an object that tests spread and change. */
export const corpusWorkspace = {
  account: { name: "Acme" },
  brand: { name: "Acme", domains: ["acme.com"] },
  competitors: [{ name: "Globex", domains: ["globex.com"] }],
  topics: [{ name: "Storage" }, { name: "Anvils" }],
  prompts: [
    { id: promptIds[0], text: "What is the best anvil?", topic: "Anvils" },
    { id: promptIds[1], text: "Is Acme any good?", topic: "Anvils" },
    { id: promptIds[2], text: "Where to store anvils?", topic: "Storage" },
    { id: promptIds[3], text: "What weighs most?" },
  ],
};

/** An answer of the corpus, as a line gives it. */
export interface CorpusAnswer {
  readonly promptId: string;
  readonly provider: string;
  readonly region: string | null;
  readonly answeredAt: string;
  readonly outcome: string;
  /** The answer's number. */
  readonly sample: number;
  readonly text: string;
  readonly citations: readonly { readonly url: string }[];
  readonly metadata: { readonly number: number };
}

/** The answer with a number: the same number always gives the same answer, no two are alike. */
export function corpusAnswer(number: number): CorpusAnswer {
  const pick = <Item>(items: readonly Item[], salt: number): Item => {
    const item = items[(number * 31 + Math.floor(number / 7) * salt) % items.length];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const answeredAt = Date.UTC(2026, 0, 1 + (number % days), number % 24, number % 60);
  return {
    promptId: pick(promptIds, 3),
    provider: pick(providers, 5),
    region: pick(regions, 11),
    answeredAt: new Date(answeredAt).toISOString(),
    outcome: pick(outcomes, 13),
    sample: number,
    text: `${pick(sentences, 17)} ${pick(sentences, 19)} Number ${number}.`,
    citations: [{ url: pick(pages, 23) }, { url: `https://example.org/${number % 97}` }],
    metadata: { number },
  };
}

/** The first answers of the corpus. */
export function corpusAnswers(count: number): readonly CorpusAnswer[] {
  return Array.from({ length: count }, (_, number) => corpusAnswer(number));
}

/** The first answers of the corpus as a file of NDJSON. */
export function corpusFile(count: number): string {
  return corpusAnswers(count)
    .map((answer) => `${JSON.stringify(answer)}\n`)
    .join("");
}
