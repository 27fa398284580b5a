import type { Vendor } from "@sightline/contract";
import type { StandInAnswer } from "./answers.ts";
import type { Draws } from "./draws.ts";
import type { Consumed } from "./prices.ts";

/** What an answer uses on the average: of the recorded replies, roundly. */
export const meanTokens = {
  openai: { inputTokens: 10_000, outputTokens: 900 },
  anthropic: { inputTokens: 11_000, outputTokens: 700 },
  gemini: { inputTokens: 150, outputTokens: 600 },
  perplexity: { inputTokens: 4_000, outputTokens: 500 },
  xai: { inputTokens: 6_000, outputTokens: 800 },
} as const satisfies Partial<Record<Vendor, Omit<Consumed, "model" | "searches">>>;

/** How far a request's tokens are from the mean, at most: a share of it. */
const spread = 0.3;

/**
 * Tokens around the vendor's mean, and a search for each query. They are whole hundreds, so that
 * amounts are whole millionths of a dollar, however a ledger rounds or adds up.
 */
export function usageOf(
  vendor: keyof typeof meanTokens,
  { answer, draws }: { readonly answer: StandInAnswer; readonly draws: Draws },
): Omit<Consumed, "model"> {
  const around = (name: "inputTokens" | "outputTokens"): number =>
    Math.round((meanTokens[vendor][name] / 100) * (1 - spread + 2 * spread * draws.of(name))) * 100;
  return {
    inputTokens: around("inputTokens"),
    outputTokens: around("outputTokens"),
    searches: answer.queries.length,
  };
}
