/**
 * The vendors that are asked: providers themselves, vendors of what their pages show, and the model
 * that reads answers.
 */
export const vendors = [
  "openai",
  "anthropic",
  "gemini",
  "perplexity",
  "xai",
  "dataforseo",
  "serpapi",
  "cloro",
  "reader",
] as const;

/** One of the closed list of vendors. */
export type Vendor = (typeof vendors)[number];
