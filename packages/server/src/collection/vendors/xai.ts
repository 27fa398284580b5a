import type { Adapter, Usage, VendorQuestion, VendorRequest } from "../adapter.ts";
import type { DamagedSources, RetrievedPage } from "./cited-pages.ts";
import { singleRequestStep } from "./collected-answer.ts";
import { defaultModels } from "./default-models.ts";
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
  textsAt,
} from "./read-json.ts";
import { type FailureRule, setModel } from "./reply-failure.ts";
import {
  type ResponseDialect,
  readResponse,
  type TextPart,
  tokensOfResponse,
} from "./response-object.ts";

/** The host of xAI's API. */
export const xaiHost = "api.x.ai";

/** Reasoning is part of the output. */
const outputTokensMax = 8_000;
/** A reasoning model that searches takes up to a few minutes. */
const withinMs = 300_000;

/**
 * The request to the Responses API with web search; the prompt is sent unchanged, and xAI stores
 * nothing.
 */
function xaiRequest(question: VendorQuestion): VendorRequest {
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
 * Refuses regions: xAI documents a user's place only for its own client over gRPC. If the HTTP API
 * ignored the field, answers would be labelled with a region in which they were not asked.
 */
function xaiRefusal({ region }: VendorQuestion): string | null {
  return region === null ? null : "xAI's HTTP API takes no region. Ask GROK without regions.";
}

const searchCalls = ["web_search_call", "x_search_call", "custom_tool_call"];
/** xAI's unit of money: 10^10 to a dollar. */
const ticksOfDollar = 10_000_000_000;
/** More than any answer costs; higher values are ignored. */
const dollarsMax = 1_000;

/**
 * Cited: annotations with a range in the text, or whose URL occurs in it. xAI documents that the
 * others, like `citations`, list what a search came across: these are retrieved.
 */
const xaiDialect: ResponseDialect = {
  items: ["reasoning", ...searchCalls],
  usageOf,
  annotations: "strict",
  sourcesOf: ({ output, parts, response, ...read }, damaged) => {
    const annotated = read.annotated.map(({ title, ...page }) => {
      return { ...page, title: isNumber.test(title ?? "") ? null : title };
    });
    const cited = annotated.filter(({ url, isPlaced }) => isPlaced || isNamed(url, parts));
    const calls = output.filter(({ type }) => searchCalls.some((call) => call === type));
    const listed = textsAt(response, "citations").filter((url) => url.trim() !== "");
    return {
      cited,
      retrieved: [
        ...annotated,
        ...calls.flatMap((call) => sourcesOf(call, damaged)),
        ...listed.map(untitled),
      ],
      searchQueries: calls.flatMap(queriesOf),
    };
  },
};

/** Annotations have the number of their marker, [[1]], instead of a title. */
const isNumber = /^\d+$/;

const untitled = (url: string): RetrievedPage => ({ url, title: null });

const isNamed = (url: string, parts: readonly TextPart[]): boolean =>
  parts.some(({ text }) => text.includes(`(${url})`));

const isPage = (source: JsonObject): boolean => source["type"] === "url" || "url" in source;

function sourcesOf(call: JsonObject, damaged: DamagedSources): readonly RetrievedPage[] {
  const action = optionalObjectAt(call, "action");
  const sources = (action === null ? null : optionalListAt(action, "sources")) ?? [];
  return damaged.pagesOf(sources.filter(isPage), "url");
}

/**
 * The query of a call: in its action, or in older replies in its arguments, as JSON with a `query`.
 */
function queriesOf(call: JsonObject): readonly string[] {
  const action = optionalObjectAt(call, "action");
  const written = optionalTextAt(call, "arguments") ?? optionalTextAt(call, "input");
  const holder = action ?? argumentsOf(written);
  const query = holder === null ? null : optionalTextAt(holder, "query");
  return query === null || query === "" ? [] : [query];
}

/** Null: there are none, or the model did not write JSON. */
function argumentsOf(written: string | null): JsonObject | null {
  try {
    const value: unknown = JSON.parse(written ?? "");
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** xAI reports the cost of each reply; older replies only the number of tool calls. */
function usageOf(response: JsonObject): Usage {
  const usage = lenientObjectAt(response, "usage");
  const details = lenientObjectAt(usage, "server_side_tool_usage_details");
  const ticks = usage?.["cost_in_usd_ticks"];
  const amount = typeof ticks === "number" ? ticks / ticksOfDollar : Number.NaN;
  const isCost = amount >= 0 && amount <= dollarsMax;
  return tokensOfResponse(usage, {
    searches:
      details === null
        ? countAt(usage, "num_server_side_tools_used")
        : countAt(details, "web_search_calls") + countAt(details, "x_search_calls"),
    cost: isCost ? { amount, currency: "USD" } : null,
  });
}

/**
 * xAI replies with 400 to a wrong key, with 403 or 429 when the balance is used up, and with 404 or
 * 410 to an unknown model.
 */
const xaiErrors: readonly FailureRule[] = [
  { status: 400, says: /api key/i, class: "stop-vendor" },
  { status: 429, says: /\bcredits\b|spending limit/i, class: "stop-vendor" },
  { status: 404, says: /model/i, class: "stop-part", remedy: setModel },
  { status: 410, says: /model/i, class: "stop-part", remedy: setModel },
];

/** xAI's Responses API with web search: Grok. */
export const xai: Adapter = {
  vendor: "xai",
  hosts: [xaiHost],
  asks: asksOf("xai"),
  regionOf: ({ region }) => region,
  refusal: xaiRefusal,
  step: singleRequestStep(xaiRequest, {
    rules: xaiErrors,
    usageOf: xaiDialect.usageOf,
    stepOf: (body) => readResponse(body, xaiDialect),
  }),
  authorize: bearer,
};
