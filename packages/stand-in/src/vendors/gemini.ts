import { z } from "zod";
import { type StandInAnswer, textOf } from "../answers.ts";
import { microsOf, usageOf } from "../prices.ts";
import { firstHalf } from "../responses-shape.ts";
import {
  type AskContext,
  badReading,
  modelsReading,
  type Refusal,
  type StandInReply,
  type VendorStandIn,
} from "../vendor-stand-in.ts";

const generateRequest = z.looseObject({
  contents: z
    .array(z.looseObject({ parts: z.array(z.looseObject({ text: z.string() })).min(1) }))
    .min(1),
  tools: z.array(z.looseObject({ googleSearch: z.looseObject({}).optional() })).nullish(),
});

const errors: Readonly<Record<Refusal, readonly [number, string, string]>> = {
  // The real one is 400, and not 401.
  credential: [400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."],
  money: [429, "RESOURCE_EXHAUSTED", "Your prepayment credits are depleted."],
  limit: [429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."],
  server: [500, "INTERNAL", "An internal error has occurred."],
  overloaded: [503, "UNAVAILABLE", "The model is overloaded. Please try again later."],
};

const quota = {
  details: [
    {
      "@type": "type.googleapis.com/google.rpc.QuotaFailure",
      violations: [{ quotaId: "GenerateRequestsPerDayPerProjectPerModel-FreeTier" }],
    },
    { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" },
  ],
};
const infoType = "type.googleapis.com/google.rpc.ErrorInfo";

/** Gemini: `generateContent` with `googleSearch`. */
export const gemini: VendorStandIn = {
  vendor: "gemini",
  hosts: ["generativelanguage.googleapis.com"],
  credentialOf: ({ headers, query }) => headers["x-goog-api-key"] ?? query.get("key"),
  refuse: (refusal) => {
    const [code, status, message] = errors[refusal];
    const details =
      refusal === "credential" ? [{ "@type": infoType, reason: "API_KEY_INVALID" }] : [];
    return { status: code, body: { error: { code, message, status, details } } };
  },
  modelErrors: {
    retiredModel: {
      status: 404,
      body: {
        error: {
          code: 404,
          status: "NOT_FOUND",
          message: "This model is no longer available to new users.",
        },
      },
    },
    dailyQuota: {
      status: 429,
      body: {
        error: {
          code: 429,
          status: "RESOURCE_EXHAUSTED",
          ...quota,
          message: "You exceeded your current quota.",
        },
      },
    },
  },
  read: (request) => {
    const models = modelsReading(request, "/v1beta/models", {
      models: ["gemini-3.8-flash", "gemini-3.1-pro-preview"].map((id) => ({
        name: `models/${id}`,
        supportedGenerationMethods: ["generateContent"],
      })),
    });
    if (models !== null) return models;
    const [, model] =
      request.path.match(/^\/v1(?:beta)?\/models\/([\w.-]+):generateContent$/) ?? [];
    if (request.method !== "POST" || model === undefined) return null;
    const { data } = generateRequest.safeParse(request.body);
    const parts = data?.contents.at(-1)?.parts;
    if (data === undefined || parts === undefined) {
      const error = { code: 400, message: "Invalid request.", status: "INVALID_ARGUMENT" };
      return badReading(400, { error });
    }
    const prompt = parts.map(({ text }) => text).join("\n");
    const isSearching = data.tools?.some((tool) => tool.googleSearch !== undefined) ?? false;
    const reply = (context: AskContext) => replyOf({ model, isSearching }, context);
    return { kind: "paid", ask: { prompt, region: null, model, reply } };
  },
};

function replyOf(
  { model, isSearching }: { readonly model: string; readonly isSearching: boolean },
  context: AskContext,
): StandInReply {
  const { draws } = context;
  const isRefused = context.happens("refused");
  const isIncomplete = !isRefused && context.happens("incomplete");
  const answer = isIncomplete ? firstHalf(context.answer) : context.answer;
  const queries = isSearching && !isRefused ? answer.queries : [];
  const usage = usageOf("gemini", { ...context, answer: { ...answer, queries } });
  const text = textOf(answer.sentences);
  const candidate = {
    ...(isRefused ? {} : { content: { parts: [{ text }], role: "model" } }),
    finishReason: isRefused ? "SAFETY" : isIncomplete ? "MAX_TOKENS" : "STOP",
    ...(queries.length > 0 ? { groundingMetadata: groundingOf(answer) } : {}),
    index: 0,
  };
  const toolTokens = queries.length > 0 ? Math.floor(usage.inputTokens * 0.8) : 0;
  const promptTokens = usage.inputTokens - toolTokens;
  const written = Math.ceil(usage.outputTokens / 2);
  const body = {
    candidates: [candidate],
    modelVersion: model,
    responseId: draws.hex("id", 22),
    usageMetadata: {
      candidatesTokenCount: written,
      promptTokenCount: promptTokens,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: promptTokens }],
      thoughtsTokenCount: usage.outputTokens - written,
      toolUsePromptTokenCount: toolTokens,
      toolUsePromptTokensDetails: [{ modality: "TEXT", tokenCount: toolTokens }],
      totalTokenCount: usage.inputTokens + usage.outputTokens,
    },
  };
  const consumed = { ...usage, model };
  return { status: 200, body, charge: { ...consumed, micros: microsOf("gemini", consumed) } };
}

/** Which pages stand for which bytes of the text. */
function groundingOf({ sentences, cited, retrieved, queries }: StandInAnswer) {
  const pages = [...cited, ...retrieved.filter((page) => !cited.includes(page))];
  const groundingSupports = sentences.flatMap(({ text, pages: supporting }, index) => {
    if (supporting.length === 0) return [];
    const before = index === 0 ? "" : `${textOf(sentences.slice(0, index))}\n`;
    const startIndex = Buffer.byteLength(before);
    // Google omits a start of 0.
    const start = startIndex === 0 ? {} : { startIndex };
    const segment = { ...start, endIndex: startIndex + Buffer.byteLength(text), text };
    return [{ groundingChunkIndices: supporting.map((page) => pages.indexOf(page)), segment }];
  });
  return {
    groundingChunks: pages.map(({ url, domain }) => ({
      web: { title: domain, uri: redirectTo(url) },
    })),
    groundingSupports,
    searchEntryPoint: {
      renderedContent: `<style>.chip {}</style><div>${queries.length} suggestions</div>`,
    },
    webSearchQueries: queries,
  };
}

/** Google's host of what answers cite: each address leads to a page by a redirect. */
export const redirectHost = "vertexaisearch.cloud.google.com";
const folder = "/grounding-api-redirect/";
const prefix = "AUZIYQ";

/** The address that leads to a page. All that is known of the page is in it: none expires. */
function redirectTo(url: string): string {
  return `https://${redirectHost}${folder}${prefix}${Buffer.from(url).toString("base64url")}`;
}

/** Where an address of the host leads; 404 where it is none of ours. */
export function redirected(path: string): StandInReply {
  const start = `${folder}${prefix}`;
  if (!path.startsWith(start)) return { status: 404 };
  const location = Buffer.from(path.slice(start.length), "base64url").toString("utf8");
  return URL.canParse(location) ? { status: 302, headers: { location } } : { status: 404 };
}
