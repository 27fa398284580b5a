import type { Vendor } from "@sightline/contract";
import type { StandInAnswer } from "./answers.ts";
import type { Consumed } from "./prices.ts";
import type { AskContext } from "./vendor-stand-in.ts";

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

/** What an answer used, with the parts of its input that a cache gave and got. */
export type StandInUsage = Required<Omit<Consumed, "model">>;

/**
 * Tokens around the vendor's mean, and a search for each query. They are whole hundreds, so that
 * amounts are whole millionths of a dollar, however a ledger rounds or adds up.
 */
export function usageOf(
  vendor: keyof typeof meanTokens,
  {
    answer,
    draws,
    happens,
  }: Pick<AskContext, "draws" | "happens"> & { readonly answer: StandInAnswer },
): StandInUsage {
  const around = (name: "inputTokens" | "outputTokens"): number =>
    Math.round((meanTokens[vendor][name] / 100) * (1 - spread + 2 * spread * draws.of(name))) * 100;
  const inputTokens = around("inputTokens");
  // Whole thousands: they cost a tenth or a twentieth of an amount that is whole.
  const cachedTokens = happens("cached") ? Math.floor(inputTokens / 2_000) * 1_000 : 0;
  return {
    ...{ inputTokens, cachedTokens, cacheWriteTokens: cachedTokens > 0 ? 1_000 : 0 },
    outputTokens: around("outputTokens"),
    searches: answer.queries.length,
  };
}
