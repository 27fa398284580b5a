import type { AskedQuestion, AuthorizedRequest, VendorRequest } from "../../adapter.ts";
import { defaultModels } from "../default-models.ts";

/** The host of the Gemini API. */
export const geminiHost = "generativelanguage.googleapis.com";
/** The host of the links that the Gemini API gives instead of pages' own addresses. */
export const redirectHost = "vertexaisearch.cloud.google.com";

/** Thinking is part of the output. */
const outputTokensMax = 8_000;
const withinMs = 180_000;
const redirectWithinMs = 10_000;

/** The prompt as it is, to `generateContent` with Google Search. */
export function geminiRequest(question: AskedQuestion): VendorRequest {
  const model = encodeURIComponent(question.model ?? defaultModels.gemini);
  return {
    method: "POST",
    host: geminiHost,
    path: `/v1beta/models/${model}:generateContent`,
    body: {
      contents: [{ role: "user", parts: [{ text: question.prompt }] }],
      tools: [{ googleSearch: {} }],
      generationConfig: { maxOutputTokens: outputTokensMax },
    },
    isPaid: true,
    withinMs,
  };
}

/** Where a link of Google's leads: its reply names the page in `location`. Not billed. */
export function redirectRequest(path: string): VendorRequest {
  const withoutCost = { isPaid: false, withinMs: redirectWithinMs };
  return { method: "GET", host: redirectHost, path, ...withoutCost };
}

/** `generateContent` has no field for a country; a question about one is not asked without it. */
export function geminiRefusal({ region }: AskedQuestion): string | null {
  return region === null ? null : "The Gemini API takes no region. Ask GEMINI without regions.";
}

/** The key goes to the API alone, not to the host of the links. */
export function geminiAuthorized(request: VendorRequest, credential: string): AuthorizedRequest {
  const { host, path, headers = {} } = request;
  if (host !== geminiHost) return { path, headers };
  return { path, headers: { ...headers, "x-goog-api-key": credential } };
}
