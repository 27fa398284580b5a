import type { Adapter } from "../adapter.ts";
import { anthropic } from "./anthropic.ts";
import { cloro } from "./cloro.ts";
import { dataforseo } from "./dataforseo.ts";
import { gemini } from "./gemini.ts";
import { openai } from "./openai.ts";
import { perplexity } from "./perplexity.ts";
import { serpapi } from "./serpapi.ts";
import { xai } from "./xai.ts";

/** Every vendor that can be asked; of those that ask for the same, the first is preferred. */
export const adapters: readonly Adapter[] = [
  ...[openai, anthropic, gemini, perplexity, xai],
  ...[dataforseo, cloro, serpapi],
];
