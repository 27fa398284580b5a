import type { Vendor } from "@sightline/contract";
import type { Draws, StandInAnswer } from "./answers.ts";
import type { Fault } from "./faults.ts";

// The stand-in's own copy of what the vendors publish, read in November 2026. It shares nothing
// with the collector's price list, so that a bill is evidence for the ledger.

/** Dollars per million tokens, which are millionths of a dollar per token. */
interface ModelPrice {
  readonly model: string;
  readonly input: number;
  readonly output: number;
  /** Millionths of a dollar. */
  readonly search: number;
  /** Whether a request with searches costs one search, however many it made. */
  readonly oneSearch?: boolean;
  /** Shares of the price of input: for what comes from a cache, and for what goes to it. */
  readonly cached?: number;
  readonly cacheWrite?: number;
}

type Listed = readonly (readonly [
  model: string,
  input: number,
  output: number,
  more?: Partial<ModelPrice>,
])[];

/** The first whose name begins the model's name: longer names come before shorter ones. */
function pricesOf(search: number, listed: Listed, more: Partial<ModelPrice> = {}) {
  return listed.map(([model, input, output, own]) => {
    return { model, input, output, search, ...more, ...own };
  });
}

const writesToCache = { cacheWrite: 1.25 };

const models: Readonly<Partial<Record<Vendor, readonly ModelPrice[]>>> = {
  // From GPT-5.6 on, what goes to the cache costs more.
  openai: pricesOf(10_000, [
    ["gpt-6.2-sol", 2, 10, { cached: 0.05, cacheWrite: 1.25 }],
    ["gpt-6.2-astra", 8, 40, writesToCache],
    ["gpt-6.1-terra", 1, 5, writesToCache],
    ["gpt-6-astra", 10, 50, writesToCache],
    ["gpt-6-luna", 0.1, 0.5, writesToCache],
    ["gpt-6", 2, 10, writesToCache],
    ["gpt-5.6-luna", 0.2, 1.2, writesToCache],
    ["gpt-5.6-sol", 4, 20, writesToCache],
    ["gpt-5.6-terra", 2, 12, writesToCache],
    ["gpt-5.5-pro", 30, 180],
    ["gpt-5.5", 5, 30],
    ["gpt-5.4-nano", 0.2, 1.25],
    ["gpt-5.4-mini", 0.75, 4.5],
    ["gpt-5.4", 2.5, 15],
    ["gpt-5.2", 1.75, 14],
    ["gpt-5-nano", 0.05, 0.4],
    ["gpt-5-mini", 0.25, 2],
    ["gpt-4.1-mini", 0.4, 1.6],
    ["gpt-4.1", 2, 8],
    ["", 1.25, 10],
  ]),
  anthropic: pricesOf(
    10_000,
    [
      ["claude-fable-5-1", 10, 50],
      ["claude-opus-5-5", 4, 20],
      ["claude-opus-4-1", 15, 75],
      ["claude-opus", 5, 25],
      ["claude-haiku-5-5", 0.1, 0.5],
      ["claude-haiku", 1, 5],
      ["claude-sonnet-5", 2, 10],
      ["", 3, 15],
    ],
    writesToCache,
  ),
  gemini: [
    ...pricesOf(
      35_000,
      [
        ["gemini-2.5-flash-lite", 0.1, 0.4],
        ["gemini-2.5-flash", 0.3, 2.5],
        ["gemini-2.5-pro", 1.25, 10],
      ],
      { oneSearch: true },
    ),
    ...pricesOf(14_000, [
      ["gemini-3-flash", 0.5, 3],
      ["gemini-3.8-flash", 0.75, 3.75],
      ["", 2, 12],
    ]),
  ],
  perplexity: pricesOf(2_500, [
    ["perplexity/sonar", 0.25, 2.5],
    ["", 1.75, 14],
  ]),
  reader: pricesOf(0, [["", 0.2, 0.8]]),
  xai: pricesOf(5_000, [
    ["grok-4-fast", 0.2, 0.5],
    ["grok-4.3", 1.25, 2.5],
    ["", 2, 6],
  ]),
};

/** Millionths of a dollar a request, by what is asked. */
export const requestPrices = {
  dataforseo: {
    ai_mode: { live: 4_000, high: 2_400, standard: 1_200 },
    organic: { live: 2_000, high: 1_200, standard: 600 },
  },
  /** A search of the plan of 5,000 for $75. */
  serpapi: 15_000,
  /** A credit of the plan of 250,000 for $100. */
  cloroCredit: 400,
} as const;

/** Credits of a task without what is asked for in addition. */
export const cloroCredits: Readonly<Record<string, number>> = {
  CHATGPT: 5,
  COPILOT: 5,
  PERPLEXITY: 4,
  GEMINI: 4,
  GROK: 4,
  AIMODE: 4,
  GOOGLE: 3,
};

/** What tokens and searches of a model cost. */
export interface Consumed {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly searches: number;
  /** Parts of the input tokens; omitted: none. */
  readonly cachedTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Millionths of a dollar, without fractions; 0 for vendors that count requests. */
export function microsOf(vendor: Vendor, consumed: Consumed): number {
  const price = models[vendor]?.find(({ model }) => consumed.model.startsWith(model));
  if (price === undefined) return 0;
  const searches = price.oneSearch === true ? Math.min(consumed.searches, 1) : consumed.searches;
  const { cached = 0.1, cacheWrite = 1 } = price;
  const { inputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = consumed;
  const plain = inputTokens - cachedTokens - cacheWriteTokens;
  const input = plain + cachedTokens * cached + cacheWriteTokens * cacheWrite;
  const tokens = input * price.input + consumed.outputTokens * price.output;
  return Math.round(tokens + searches * price.search);
}

/** What an answer uses on the average: of the recorded replies, roundly. */
const meanTokens = {
  openai: { inputTokens: 10_000, outputTokens: 900 },
  anthropic: { inputTokens: 11_000, outputTokens: 700 },
  gemini: { inputTokens: 150, outputTokens: 600 },
  perplexity: { inputTokens: 4_000, outputTokens: 500 },
  xai: { inputTokens: 6_000, outputTokens: 800 },
} as const satisfies Partial<Record<Vendor, Omit<Consumed, "model" | "searches">>>;

/** How far a request's tokens are from the mean, at most: a share of it. */
const spread = 0.3;

/** What an answer used, with the parts of its input that a cache gave and got. */
type StandInUsage = Required<Omit<Consumed, "model">>;

/** An answer, and the chance of its request. */
interface AnswerMade {
  readonly answer: StandInAnswer;
  readonly draws: Draws;
  readonly happens: (fault: Fault) => boolean;
}

/**
 * Tokens around the vendor's mean, and a search for each query. They are whole hundreds, so that
 * amounts are whole millionths of a dollar, however a ledger rounds or adds up.
 */
export function usageOf(
  vendor: keyof typeof meanTokens,
  { answer, draws, happens }: AnswerMade,
): StandInUsage {
  const around = (name: "inputTokens" | "outputTokens"): number =>
    Math.round((meanTokens[vendor][name] / 100) * (1 - spread + 2 * spread * draws.of(name))) * 100;
  const inputTokens = around("inputTokens");
  // Whole thousands: they cost a tenth or a twentieth of an amount that is whole.
  const cachedTokens = happens("cached") ? Math.floor(inputTokens / 2_000) * 1_000 : 0;
  return {
    inputTokens,
    cachedTokens,
    cacheWriteTokens: cachedTokens > 0 ? 1_000 : 0,
    outputTokens: around("outputTokens"),
    searches: answer.queries.length,
  };
}
