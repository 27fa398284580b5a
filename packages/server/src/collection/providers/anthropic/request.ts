import type { AskedQuestion, AuthorizedRequest, VendorRequest } from "../../adapter.ts";
import { defaultModels } from "../default-models.ts";
import type { JsonObject } from "../read-json.ts";
import { userLocationOf } from "../user-location.ts";

/** The host of Anthropic's API. */
export const anthropicHost = "api.anthropic.com";

/** Thinking is part of the output. */
const outputTokensMax = 8_000;
/** A bound on what a request may cost. */
const searchesMax = 5;
/** A model that thinks and searches takes up to some minutes. */
const withinMs = 300_000;

/**
 * The prompt as it is, to the Messages API with web search. A turn that was paused goes on when
 * what it said so far is sent back unchanged.
 */
export function anthropicRequest(
  question: AskedQuestion,
  saidSoFar: readonly JsonObject[],
): VendorRequest {
  const location = userLocationOf(question);
  return {
    method: "POST",
    host: anthropicHost,
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: {
      model: question.model ?? defaultModels.anthropic,
      max_tokens: outputTokensMax,
      messages: [
        { role: "user", content: question.prompt },
        ...(saidSoFar.length === 0 ? [] : [{ role: "assistant", content: saidSoFar }]),
      ],
      tools: [
        {
          // Not the later version: it filters results by code whose outcome the reply hides.
          type: "web_search_20250305",
          name: "web_search",
          max_uses: searchesMax,
          ...(location === null ? {} : { user_location: { type: "approximate", ...location } }),
        },
      ],
    },
    isPaid: true,
    withinMs,
  };
}

/** The key goes into a header field of Anthropic's own. */
export function anthropicAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  return { path, headers: { ...headers, "x-api-key": credential } };
}
