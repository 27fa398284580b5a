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

/** What the providers are called. */
export const providerNames: Readonly<Record<Provider, string>> = {
  GEMINI: "Gemini",
  OPENAI: "ChatGPT",
  ANTHROPIC: "Claude",
  PERPLEXITY: "Perplexity",
  GROK: "Grok",
  GOOGLE_AI_MODE: "Google AI Mode",
  GOOGLE_AI_OVERVIEW: "Google AI Overview",
  COPILOT: "Copilot",
};
