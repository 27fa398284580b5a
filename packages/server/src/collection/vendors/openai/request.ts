import type { AskedQuestion, VendorRequest } from "../../adapter.ts";
import { defaultModels } from "../default-models.ts";
import { userLocationOf } from "../user-location.ts";

/** The host of OpenAI's API. */
export const openaiHost = "api.openai.com";

/** Reasoning is part of the output: with less, some answers end before they begin. */
const outputTokensMax = 8_000;
/** A bound on what an answer may cost; answers of the recorded replies took up to six. */
const searchesMax = 10;
/** A reasoning model that searches takes up to some minutes. */
const withinMs = 300_000;

/** The prompt as it is, to the Responses API with web search; nothing is kept at OpenAI. */
export function openaiRequest(question: AskedQuestion): VendorRequest {
  return {
    method: "POST",
    host: openaiHost,
    path: "/v1/responses",
    body: openaiBody(question),
    isPaid: true,
    withinMs,
  };
}

/** What OpenAI is sent; its client's types are compared with it. */
export function openaiBody(question: AskedQuestion) {
  // Sent without a place too: OpenAI searches as from the United States where it is left out.
  const location = { type: "approximate" as const, ...userLocationOf(question) };
  return {
    model: question.model ?? defaultModels.openai,
    input: question.prompt,
    tools: [{ type: "web_search" as const, user_location: location }],
    include: ["web_search_call.action.sources" as const],
    max_output_tokens: outputTokensMax,
    max_tool_calls: searchesMax,
    store: false,
  };
}
