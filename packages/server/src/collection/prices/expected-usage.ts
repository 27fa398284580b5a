import type { Provider, Vendor } from "@sightline/contract";

/** What a question uses. */
export interface QuestionUsage {
  /** Paid requests. */
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In the vendor's own unit: searches, requests of pages, or credits of Cloro. */
  readonly searches: number;
}

/** Who is asked for what, as far as usage depends on it. */
export interface AskedVendorOf {
  readonly vendor: Vendor;
  readonly provider: Provider;
}

/** Tokens of the replies before a request that continues a question. */
export type UsedBefore = Pick<QuestionUsage, "inputTokens" | "outputTokens">;

type ByVendor = Readonly<Record<Vendor, QuestionUsage>>;

/**
 * What a question uses on the average, roundly, until sweeps tell: the medians of recorded replies
 * with a search. 37 % of overviews need a second request, or a surcharge.
 */
const means: ByVendor = {
  openai: { calls: 1, inputTokens: 10_000, outputTokens: 900, searches: 2 },
  anthropic: { calls: 1, inputTokens: 11_000, outputTokens: 700, searches: 2 },
  gemini: { calls: 1, inputTokens: 150, outputTokens: 600, searches: 2 },
  perplexity: { calls: 1, inputTokens: 4_000, outputTokens: 500, searches: 1 },
  xai: { calls: 1, inputTokens: 6_000, outputTokens: 800, searches: 2 },
  dataforseo: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  serpapi: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  cloro: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 5 },
};

/**
 * The most that a request uses, so that a cap holds while it is asked: the longest output that is
 * asked for, the searches that it allows, and more input than any recorded reply.
 */
const bounds: ByVendor = {
  openai: { calls: 1, inputTokens: 150_000, outputTokens: 8_000, searches: 10 },
  anthropic: { calls: 1, inputTokens: 150_000, outputTokens: 8_000, searches: 5 },
  gemini: { calls: 1, inputTokens: 50_000, outputTokens: 16_000, searches: 10 },
  perplexity: { calls: 1, inputTokens: 60_000, outputTokens: 8_000, searches: 5 },
  xai: { calls: 1, inputTokens: 150_000, outputTokens: 16_000, searches: 10 },
  dataforseo: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  serpapi: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 1 },
  cloro: { calls: 1, inputTokens: 0, outputTokens: 0, searches: 7 },
};

/** Those whose replies say what they cost. */
export const vendorsTellingCost: ReadonlySet<Vendor> = new Set(["perplexity", "xai", "dataforseo"]);

/** Credits of a task, by the page (https://cloro.dev/pricing, 2026-10-07). */
const cloroCredits: Partial<Readonly<Record<Provider, number>>> = {
  ...{ OPENAI: 5, COPILOT: 5, PERPLEXITY: 4, GEMINI: 4, GROK: 4 },
};

/** What a question uses on the average, unless sweeps tell otherwise. */
export function expectedUsage({ vendor, provider }: AskedVendorOf): QuestionUsage {
  const mean = means[vendor];
  if (vendor === "cloro") return { ...mean, searches: cloroCredits[provider] ?? mean.searches };
  if (provider !== "GOOGLE_AI_OVERVIEW") return mean;
  return { ...mean, searches: 1.37, calls: vendor === "serpapi" ? 1.37 : 1 };
}

/**
 * The most that a paid request of a question uses.
 * @param before what the replies so far used: one that continues them may be sent all of it again.
 */
export function largestUsage(
  { vendor, provider }: AskedVendorOf,
  before: UsedBefore = { inputTokens: 0, outputTokens: 0 },
): QuestionUsage {
  const bound = bounds[vendor];
  const inputTokens = bound.inputTokens + before.inputTokens + before.outputTokens;
  // An overview that loads late is a surcharge of the same request at DataForSEO.
  const isLoadedLate = provider === "GOOGLE_AI_OVERVIEW" && vendor === "dataforseo";
  return { ...bound, inputTokens, searches: isLoadedLate ? 2 : bound.searches };
}
