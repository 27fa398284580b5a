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
  const { messages, ...body } = anthropicBody(question);
  const said = saidSoFar.length === 0 ? [] : [{ role: "assistant", content: saidSoFar }];
  return {
    method: "POST",
    host: anthropicHost,
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: { ...body, messages: [...messages, ...said] },
    isPaid: true,
    withinMs,
  };
}

/** What Anthropic is sent at first; its client's types are compared with it. */
export function anthropicBody(question: AskedQuestion) {
  const location = userLocationOf(question);
  const search = {
    // Not the later version: it filters results by code whose outcome the reply hides.
    type: "web_search_20250305" as const,
    name: "web_search" as const,
    max_uses: searchesMax,
    ...(location === null ? {} : { user_location: { type: "approximate" as const, ...location } }),
  };
  return {
    model: question.model ?? defaultModels.anthropic,
    max_tokens: outputTokensMax,
    messages: [{ role: "user" as const, content: question.prompt }],
    tools: [search],
  };
}

/** The key goes into a header field of Anthropic's own. */
export function anthropicAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  return { path, headers: { ...headers, "x-api-key": credential } };
}
