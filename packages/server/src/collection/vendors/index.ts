import type { Adapter } from "../adapter.ts";
import type { CollectionConfig } from "../config.ts";
import { anthropic } from "./anthropic.ts";
import { cloro } from "./cloro.ts";
import { dataforseo } from "./dataforseo.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { readerAdapter } from "./reader.ts";
import { serpapi } from "./serpapi.ts";
import { xai } from "./xai.ts";

/** The adapters of all vendors; of those with the same providers, the first is preferred. */
export const adapters: readonly Adapter[] = [
  ...[openai, anthropic, gemini, perplexity, xai],
  ...[dataforseo, cloro, serpapi],
];

/** The adapters of all vendors, and of the model that reads answers if there is one. */
export function configuredAdapters({
  reader,
}: Pick<CollectionConfig, "reader">): readonly Adapter[] {
  return reader === null ? adapters : [...adapters, readerAdapter(reader)];
}
