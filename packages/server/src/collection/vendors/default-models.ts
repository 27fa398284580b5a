/**
 * The models of questions that name none: for each vendor, the one that most users of its assistant
 * get, since that is what a brand's visibility is about. Not the largest, which few reach, nor the
 * smallest, which searches less.
 * Chosen on 2026-11-25, by the vendors' documentation of that day.
 */
export const defaultModels = {
  /** OpenAI's model for everyday use; released on 2026-11-17. */
  openai: "gpt-6.2-sol",
  /** Anthropic's model between the large and the small one. */
  anthropic: "claude-sonnet-5-5",
  /** Google's general model of the generation that is billed by search. */
  gemini: "gemini-3.8-flash",
  /** A preset: the model, the instructions and one search, as Perplexity tunes them. */
  perplexity: "fast",
  /** xAI's general model, released on 2026-09-21. */
  xai: "grok-4.7",
} as const;
