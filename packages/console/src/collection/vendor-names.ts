import type { Vendor } from "@sightline/client";
import { dateText } from "../data/format.ts";

const names: Readonly<Record<Vendor, string>> = {
  openai: "OpenAI",
  anthropic: "Anthropic",
  gemini: "Google Gemini",
  perplexity: "Perplexity",
  xai: "xAI",
  dataforseo: "DataForSEO",
  serpapi: "SerpApi",
  cloro: "cloro",
  reader: "the reader",
};

/** The vendors that this console knows and that answer prompts; a reader is the operator's. */
export const knownVendors = (Object.keys(names) as readonly Vendor[]).filter(
  (vendor) => vendor !== "reader",
);

/** A vendor's name; of one that a newer service knows, its code. */
export function vendorName(vendor: string): string {
  return (names as Readonly<Record<string, string>>)[vendor] ?? vendor;
}

const surfaceTexts: Readonly<Record<string, string>> = { api: "API", web: "its page" };

/** Where a provider is asked, and through whom: "API", "its page, by DataForSEO". */
export function surfaceText(surface: string, vendor: string): string {
  const where = surfaceTexts[surface] ?? surface;
  return surface === "api" ? where : `${where}, by ${vendorName(vendor)}`;
}

/** When a vendor that waits is asked again. A pause that is over ends with the next question. */
export function nextTryText(until: string, now: number): string {
  const isOver = Date.parse(until) <= now;
  return isOver ? "tried with the next question" : `next try ${dateText(until, "instant")}`;
}
