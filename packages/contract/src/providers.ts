/** The providers whose answers are recorded (interface 2.1). */
export const providers = [
  "GEMINI",
  "OPENAI",
  "ANTHROPIC",
  "PERPLEXITY",
  "GROK",
  "GOOGLE_AI_MODE",
  "GOOGLE_AI_OVERVIEW",
  "COPILOT",
] as const;

/** One of the closed list of providers. */
export type Provider = (typeof providers)[number];
