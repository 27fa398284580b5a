/** The vendors that are asked: providers themselves, and vendors of what their pages show. */
export const vendors = [
  "openai",
  "anthropic",
  "gemini",
  "perplexity",
  "xai",
  "dataforseo",
  "serpapi",
  "cloro",
] as const;

/** One of the closed list of vendors. */
export type Vendor = (typeof vendors)[number];
