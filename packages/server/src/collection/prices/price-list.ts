import type { Provider, Vendor } from "@sightline/contract";

/** What a vendor asks for, in dollars. */
export interface Price {
  readonly vendor: Vendor;
  /** The model, or the way of asking, that it is of; "*": each that has no price of its own. */
  readonly model: string;
  /** Of which provider's page; null: of any. */
  readonly provider: Provider | null;
  /** Per million tokens; 0 where a vendor counts no tokens. */
  readonly input: number;
  readonly output: number;
  /** Per search of a model; per request of a page vendor; per credit of Cloro. */
  readonly search: number;
  /** Whether a question with searches is billed for one, however many they were. */
  readonly oneSearch: boolean;
  /** What tokens cost of a request whose input is longer than so many tokens; null: the same. */
  readonly long: LongInput | null;
}

/** The price of a long input, which is of the whole request. */
export interface LongInput {
  readonly aboveTokens: number;
  readonly input: number;
  readonly output: number;
}

/** Where prices were read, and when. */
export interface PriceSource {
  readonly source: string;
  /** YYYY-MM-DD. */
  readonly asOf: string;
  /** False: it was not found in a copy of the vendor's own page, and may be wrong. */
  readonly verified: boolean;
}

/** A price, and where it comes from. */
export interface ListedPrice extends Price, PriceSource {}

/** Prices that hold from a day. */
export interface PriceList {
  /** YYYY-MM-DD: when it was last looked through. */
  readonly date: string;
  readonly prices: readonly ListedPrice[];
}

type Tokens = readonly [model: string, input: number, output: number, more?: Partial<Price>];

function ofModels(
  vendor: Vendor,
  search: number,
  { models, ...source }: PriceSource & { readonly models: readonly Tokens[] },
): readonly ListedPrice[] {
  const rest = { vendor, provider: null, search, oneSearch: false, long: null };
  return models.map(([model, input, output, more]) => ({
    ...{ ...rest, model, input, output, ...source },
    ...more,
  }));
}

function ofPages(
  vendor: Vendor,
  source: PriceSource,
  pages: readonly (readonly [model: string, provider: Provider | null, search: number])[],
): readonly ListedPrice[] {
  const rest = { vendor, input: 0, output: 0, oneSearch: false, long: null };
  return pages.map(([model, provider, search]) => ({
    ...rest,
    model,
    provider,
    search,
    ...source,
  }));
}

const longGpt = (input: number, output: number) => ({
  long: { aboveTokens: 272_000, input, output },
});

const openai = [
  ...ofModels("openai", 0.01, {
    source: "https://developers.openai.com/api/docs/models/gpt-6.1-sol, as quoted by others",
    ...{ asOf: "2026-10-01", verified: true },
    models: [["gpt-6.1-sol", 2, 10, longGpt(4, 15)]],
  }),
  ...ofModels("openai", 0.01, {
    source: "the price of GPT-6.1 Sol; none was found for GPT-6.2 Sol, released on 2026-11-17",
    ...{ asOf: "2026-11-24", verified: false },
    models: [["gpt-6.2-sol", 2, 10, longGpt(4, 15)]],
  }),
  ...ofModels("openai", 0.01, {
    source:
      "release notes of price tables that quote https://developers.openai.com/api/docs/pricing",
    ...{ asOf: "2026-10-27", verified: false },
    models: [
      ["gpt-6.1-terra", 1, 5],
      ["gpt-6-astra", 10, 50],
      ["gpt-6-sol", 2, 10, longGpt(4, 15)],
      ["gpt-6-luna", 0.1, 0.5],
      ["gpt-5.6-terra", 2, 12],
      ["gpt-5.6-luna", 0.2, 1.2],
    ],
  }),
  ...ofModels("openai", 0.01, {
    source: "https://developers.openai.com/api/docs/pricing, transcribed by api-evangelist/openai",
    ...{ asOf: "2026-05-04", verified: true },
    models: [
      ["gpt-5.5", 5, 30],
      ["gpt-5.5-pro", 30, 180],
      ["gpt-5.4", 2.5, 15],
      ["gpt-5.4-mini", 0.75, 4.5],
      ["gpt-5.4-nano", 0.2, 1.25],
    ],
  }),
  ...ofModels("openai", 0.01, {
    source: "earlier price tables that quote OpenAI; the price of a search is of these too",
    ...{ asOf: "2026-09-30", verified: false },
    models: [
      ["gpt-5.2", 1.75, 14],
      ["gpt-5.1", 1.25, 10],
      ["gpt-5", 1.25, 10],
      ["gpt-5-mini", 0.25, 2],
      ["gpt-5-nano", 0.05, 0.4],
      ["gpt-4.1", 2, 8],
      ["gpt-4.1-mini", 0.4, 1.6],
    ],
  }),
];

const anthropic = [
  ...ofModels("anthropic", 0.01, {
    source: "https://platform.claude.com/docs/about-claude/models/whats-new-opus-5",
    ...{ asOf: "2026-10-24", verified: true },
    models: [
      ["claude-fable-5-1", 10, 50],
      ["claude-opus-5-5", 4, 20],
      ["claude-opus-5", 5, 25],
      ["claude-sonnet-5-5", 2, 10],
      ["claude-haiku-5-5", 0.1, 0.5, { long: { aboveTokens: 100_000, input: 0.5, output: 2.5 } }],
      ["claude-sonnet-5", 2, 10],
    ],
  }),
  ...ofModels("anthropic", 0.01, {
    source: "https://platform.claude.com/docs/zh-CN/about-claude/pricing",
    ...{ asOf: "2026-05-22", verified: true },
    models: [
      ["claude-opus-4-7", 5, 25],
      ["claude-opus-4-6", 5, 25],
      ["claude-opus-4-5", 5, 25],
      ["claude-opus-4-1", 15, 75],
      ["claude-sonnet-4-6", 3, 15, { long: { aboveTokens: 200_000, input: 6, output: 22.5 } }],
      ["claude-sonnet-4-5", 3, 15, { long: { aboveTokens: 200_000, input: 6, output: 22.5 } }],
      ["claude-haiku-4-5", 1, 5],
    ],
  }),
];

const gemini = [
  ...ofModels("gemini", 0.014, {
    source: "https://ai.google.dev/gemini-api/docs/pricing: until 2026-12-31, then twice as much",
    ...{ asOf: "2026-10-07", verified: true },
    models: [["gemini-3.8-flash", 0.75, 3.75]],
  }),
  ...ofModels("gemini", 0.014, {
    source: "earlier price tables that quote Google; a search of Gemini 3 and a prompt of 2.5",
    ...{ asOf: "2026-09-30", verified: false },
    models: [
      ["gemini-3-flash-preview", 0.5, 3],
      ["gemini-3.1-pro-preview", 2, 12, { long: { aboveTokens: 200_000, input: 4, output: 18 } }],
      ["gemini-2.5-pro", 1.25, 10, { search: 0.035, oneSearch: true }],
      ["gemini-2.5-flash", 0.3, 2.5, { search: 0.035, oneSearch: true }],
      ["gemini-2.5-flash-lite", 0.1, 0.4, { search: 0.035, oneSearch: true }],
    ],
  }),
];

const perplexity = [
  ...ofModels("perplexity", 0.0025, {
    source: "searches: https://docs.perplexity.ai/docs/getting-started/pricing; tokens: assumed",
    ...{ asOf: "2026-10-07", verified: false },
    models: [
      ["fast", 1.75, 14],
      ["*", 1.75, 14],
    ],
  }),
];

const longGrok = { long: { aboveTokens: 200_000, input: 4, output: 12 } };
const xai = [
  ...ofModels("xai", 0.005, {
    source: "https://docs.x.ai/developers/pricing.md; tokens as others quote the models page",
    ...{ asOf: "2026-09-29", verified: true },
    models: [
      ["grok-4.7", 2, 6, longGrok],
      ["grok-4.6", 2, 6, longGrok],
      ["grok-4.5", 2, 6, longGrok],
      ["grok-4.3", 1.25, 2.5],
    ],
  }),
];

const dataforseo = [
  ...ofPages(
    "dataforseo",
    {
      source: "https://dataforseo.com/pricing/serp/google-ai-mode-serp-api",
      ...{ asOf: "2026-11-24", verified: true },
    },
    [
      ["*", "GOOGLE_AI_MODE", 0.004],
      ["standard", "GOOGLE_AI_MODE", 0.0012],
    ],
  ),
  ...ofPages(
    "dataforseo",
    {
      source: "https://dataforseo.com/pricing/google-serp/google-organic-serp-api",
      ...{ asOf: "2026-11-24", verified: true },
    },
    [
      ["*", "GOOGLE_AI_OVERVIEW", 0.002],
      ["standard", "GOOGLE_AI_OVERVIEW", 0.0006],
    ],
  ),
];

const serpapi = ofPages(
  "serpapi",
  {
    source: "https://serpapi.com/pricing: 5,000 searches for $75 a month; others pay less or more",
    ...{ asOf: "2026-11-24", verified: false },
  },
  [["*", null, 0.015]],
);

const cloro = ofPages(
  "cloro",
  {
    source:
      "https://cloro.dev/pricing: 250,000 credits for $100 a month; others pay $0.31 to $0.80",
    ...{ asOf: "2026-10-07", verified: true },
  },
  [["*", null, 0.0004]],
);

/** The prices that are used unless a file says otherwise. */
export const builtInPrices: PriceList = {
  date: "2026-11-24",
  prices: [openai, anthropic, gemini, perplexity, xai, dataforseo, serpapi, cloro].flat(),
};
