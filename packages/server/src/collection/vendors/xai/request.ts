import type { AskedQuestion, VendorRequest } from "../../adapter.ts";
import { defaultModels } from "../default-models.ts";

/** The host of xAI's API. */
export const xaiHost = "api.x.ai";

/** Reasoning is part of the output. */
const outputTokensMax = 8_000;
/** A reasoning model that searches takes up to some minutes. */
const withinMs = 300_000;

/** The prompt as it is, to the Responses API with web search; nothing is kept at xAI. */
export function xaiRequest(question: AskedQuestion): VendorRequest {
  return {
    method: "POST",
    host: xaiHost,
    path: "/v1/responses",
    body: {
      model: question.model ?? defaultModels.xai,
      input: [{ role: "user", content: question.prompt }],
      tools: [{ type: "web_search" }],
      include: ["web_search_call.action.sources"],
      max_output_tokens: outputTokensMax,
      store: false,
    },
    isPaid: true,
    withinMs,
  };
}

/**
 * xAI documents a place of the user for its own client over gRPC alone. A field that the HTTP API
 * ignores would give answers labelled with a region that they were not asked in.
 */
export function xaiRefusal({ region }: AskedQuestion): string | null {
  return region === null ? null : "xAI's HTTP API takes no region. Ask GROK without regions.";
}
