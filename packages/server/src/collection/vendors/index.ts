import type { Adapter } from "../adapter.ts";
import { anthropic } from "./anthropic/adapter.ts";
import { cloro } from "./cloro/adapter.ts";
import { dataforseo } from "./dataforseo/adapter.ts";
import { gemini } from "./gemini/adapter.ts";
import { openai } from "./openai/adapter.ts";
import { perplexity } from "./perplexity/adapter.ts";
import { serpapi } from "./serpapi/adapter.ts";
import { xai } from "./xai/adapter.ts";

/** Every vendor that can be asked; of those that ask for the same, the first is preferred. */
export const adapters: readonly Adapter[] = [
  ...[openai, anthropic, gemini, perplexity, xai],
  ...[dataforseo, cloro, serpapi],
];
