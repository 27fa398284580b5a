import type { Adapter, Usage, VendorQuestion, VendorRequest } from "../adapter.ts";
import type { DamagedSources, RetrievedPage } from "./cited-pages.ts";
import { singleRequestStep } from "./collected-answer.ts";
import { defaultModels } from "./default-models.ts";
import { userLocationOf } from "./places.ts";
import {
  asksOf,
  bearer,
  countAt,
  isObject,
  type JsonObject,
  lenientObjectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
  textsAt,
} from "./read-json.ts";
import { type FailureRule, setModel } from "./reply-failure.ts";
import { type ResponseDialect, readResponse, tokensOfResponse } from "./response-object.ts";

/** The host of OpenAI's API. */
export const openaiHost = "api.openai.com";

/** Reasoning is part of the output: with less, some answers end before they begin. */
const outputTokensMax = 8_000;
/** Bounds the cost of an answer; recorded answers took up to six. */
const searchesMax = 10;
/** A reasoning model that searches takes up to a few minutes. */
const withinMs = 300_000;

/**
 * The request to the Responses API with web search; the prompt is sent unchanged, and OpenAI stores
 * nothing.
 */
function openaiRequest(question: VendorQuestion): VendorRequest {
  return {
    method: "POST",
    host: openaiHost,
    path: "/v1/responses",
    body: openaiBody(question),
    isPaid: true,
    withinMs,
  };
}

/** The body of the request; a test compares it with the types of OpenAI's client. */
export function openaiBody(question: VendorQuestion) {
  // Sent even without a place: if it is left out, OpenAI searches as from the United States.
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

/** Cited: pages of `url_citation` annotations. Retrieved: the sources of each search. */
const openaiDialect: ResponseDialect = {
  items: ["reasoning", "web_search_call"],
  usageOf,
  annotations: "strict",
  sourcesOf: ({ output, annotated }, damaged) => {
    const actions = output.flatMap(actionOf);
    return {
      cited: annotated,
      retrieved: actions.flatMap((action) => sourcesOf(action, damaged)),
      searchQueries: actions.flatMap(queriesOf),
    };
  },
};

/** The action of a search call: a search, opening a page, or finding text in it. */
function actionOf(item: JsonObject): readonly JsonObject[] {
  if (item["type"] !== "web_search_call") return [];
  const action = optionalObjectAt(item, "action");
  return action === null ? [] : [action];
}

const isPage = (source: JsonObject): boolean => source["type"] === "url" || "url" in source;

/** Sources other than pages, such as OpenAI's weather feeds, have a name and no URL. */
function sourcesOf(action: JsonObject, damaged: DamagedSources): readonly RetrievedPage[] {
  const sources = optionalListAt(action, "sources") ?? [];
  return damaged.pagesOf(sources.filter(isPage), "url");
}

/** Newer replies list several queries per search; the first one is also its `query`. */
function queriesOf(action: JsonObject): readonly string[] {
  if (textAt(action, "type") !== "search") return [];
  const queries = textsAt(action, "queries");
  const query = optionalTextAt(action, "query");
  return queries.length > 0 ? queries : [query].filter((each) => each !== null);
}

/**
 * OpenAI reports how many searches it bills. In replies without the number they are counted:
 * opening a page and finding text in it are free.
 */
function usageOf(response: JsonObject): Usage {
  const usage = lenientObjectAt(response, "usage");
  const billed = lenientObjectAt(lenientObjectAt(response, "tool_usage"), "web_search");
  const isBilledReported = typeof billed?.["num_requests"] === "number";
  const searches = isBilledReported ? countAt(billed, "num_requests") : countedSearches(response);
  return tokensOfResponse(usage, { searches, cost: null });
}

function countedSearches(response: JsonObject): number {
  const output: unknown = response["output"];
  const items = Array.isArray(output) ? output.filter(isObject) : [];
  return items.filter((item) => {
    const isSearch = lenientObjectAt(item, "action")?.["type"] === "search";
    return isSearch && item["type"] === "web_search_call";
  }).length;
}

/**
 * OpenAI replies with 429 both at a rate limit and when the balance is used up; its codes tell them
 * apart, and waiting fixes only the first. It replies with 404 or 400 when a model is retired or
 * cannot search.
 */
const openaiErrors: readonly FailureRule[] = [
  {
    status: 429,
    says: /insufficient_quota|credit_balance_exhausted|(?:spend|usage)_limit_exceeded/,
    class: "stop-vendor",
  },
  { status: 404, says: /model/i, class: "stop-part", remedy: setModel },
  {
    status: 400,
    says: /model_not_found|tool\b.* not supported/i,
    class: "stop-part",
    remedy: setModel,
  },
];

/** OpenAI's Responses API with web search. */
export const openai: Adapter = {
  vendor: "openai",
  hosts: [openaiHost],
  asks: asksOf("openai"),
  regionOf: ({ region }) => region,
  refusal: () => null,
  step: singleRequestStep(openaiRequest, {
    rules: openaiErrors,
    usageOf: openaiDialect.usageOf,
    stepOf: (body) => readResponse(body, openaiDialect),
  }),
  authorize: bearer,
};
