import { type Provider, providers } from "@sightline/contract/providers";

/** What people write for a provider, as `plainName` leaves it. */
const written: Readonly<Record<Provider, readonly string[]>> = {
  GEMINI: ["googlegemini", "geminiapp", "geminigoogle"],
  OPENAI: ["chatgpt", "openaichatgpt", "chatgptopenai", "chatgptcom", "chatgptweb"],
  ANTHROPIC: ["claude", "claudeai", "anthropicclaude", "claudeanthropic"],
  PERPLEXITY: ["perplexityai", "perplexitysonar"],
  GROK: ["grokai", "xaigrok", "grokxai", "xai"],
  GOOGLE_AI_MODE: ["aimode", "googleaimodus", "aimodus", "kimodus", "googlekimodus"],
  GOOGLE_AI_OVERVIEW: [
    ...["googleaioverviews", "aioverview", "aioverviews", "googleaio", "aio"],
    ...["kiuebersicht", "googlekiuebersicht", "aperçuia", "googleoverview"],
  ],
  COPILOT: ["microsoftcopilot", "bingcopilot", "mscopilot", "bingchat", "copilotmicrosoft"],
};

const known: ReadonlyMap<string, Provider> = new Map(
  providers.flatMap((provider) =>
    [provider, ...written[provider]].map((name) => [plainName(name), provider] as const),
  ),
);

/**
 * The provider that a name means, such as `ChatGPT` or `Google AI Mode`; null where that is open:
 * `Google` alone may be three of them.
 */
export function providerOf(name: string): Provider | null {
  return known.get(plainName(name)) ?? null;
}

/** A name without case, accents and everything but letters and digits. */
export function plainName(name: string): string {
  return name
    .toLowerCase()
    .replaceAll("ä", "ae")
    .replaceAll("ö", "oe")
    .replaceAll("ü", "ue")
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}
