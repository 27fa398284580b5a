import type { AskedQuestion, VendorRequest } from "../../adapter.ts";
import { defaultModels } from "../default-models.ts";
import { userLocationOf } from "../user-location.ts";

/** The host of Perplexity's API. */
export const perplexityHost = "api.perplexity.ai";

const outputTokensMax = 8_000;
/** Presets above `fast` search several times. */
const withinMs = 180_000;

/** The prompt as it is, to the Agent API. */
export function perplexityRequest(question: AskedQuestion): VendorRequest {
  return {
    method: "POST",
    host: perplexityHost,
    path: "/v1/responses",
    body: perplexityBody(question),
    isPaid: true,
    withinMs,
  };
}

/**
 * What Perplexity is sent; its client's types are compared with it. A model's name has its maker
 * before a slash; a name without one is a preset, which brings model, instructions and tools along.
 */
export function perplexityBody(question: AskedQuestion) {
  const location = userLocationOf(question);
  const model = question.model ?? defaultModels.perplexity;
  const isPreset = !model.includes("/");
  const search = {
    type: "web_search" as const,
    ...(location === null ? {} : { user_location: location }),
  };
  return {
    ...(isPreset ? { preset: model } : { model }),
    input: question.prompt,
    // Given tools replace those of the preset: without a place they stay as Perplexity set them.
    ...(isPreset && location === null ? {} : { tools: [search] }),
    max_output_tokens: outputTokensMax,
    store: false,
  };
}
