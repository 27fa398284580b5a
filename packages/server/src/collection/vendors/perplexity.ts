import type { Adapter, Usage, VendorQuestion, VendorRequest } from "../adapter.ts";
import type { CitedPage, DamagedSources, RetrievedPage } from "./cited-pages.ts";
import { singleRequestStep } from "./collected-answer.ts";
import { defaultModels } from "./default-models.ts";
import { userLocationOf } from "./places.ts";
import {
  asksOf,
  bearer,
  countAt,
  type JsonObject,
  lenientObjectAt,
  listAt,
  textsAt,
} from "./read-json.ts";
import { type FailureRule, setModel } from "./reply-failure.ts";
import {
  type ResponseDialect,
  readResponse,
  type TextPart,
  tokensOfResponse,
} from "./response-object.ts";

/** The host of Perplexity's API. */
const perplexityHost = "api.perplexity.ai";

const outputTokensMax = 8_000;
/** Presets above `fast` search several times. */
const withinMs = 180_000;

/** The request to the Agent API; the prompt is sent unchanged. */
function perplexityRequest(question: VendorQuestion): VendorRequest {
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
 * The body of the request; a test compares it with the types of Perplexity's client. A model's name
 * has its maker before a slash; a name without one is a preset of model, instructions and tools.
 */
export function perplexityBody(question: VendorQuestion) {
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
    // Tools in the request replace those of the preset: without a place they stay as Perplexity set
    // them.
    ...(isPreset && location === null ? {} : { tools: [search] }),
    max_output_tokens: outputTokensMax,
    store: false,
  };
}

/**
 * Tools whose results are not pages; presets may include them. Results of other tools may be pages
 * that a marker refers to.
 */
const otherTools = [
  ...["reasoning", "function_call", "skill_loaded", "advisor_result", "finance_results"],
  ...["mcp_list_tools", "mcp_call", "tool_search_output", "share_file", "unknown"],
  ...["sandbox_results", "sandbox_write_file", "sandbox_read_file", "sandbox_edit_file"],
  ...["sandbox_grep", "sandbox_glob", "sandbox_apply_patch"],
];
/** [1], [web:1], [1, 2]. The text of a link is not a marker: a parenthesis follows its bracket. */
const marker = /\[((?:web:)?\d{1,6}(?:\s*,\s*(?:web:)?\d{1,6})*)\](?!\()/g;
/** More than any answer costs; higher values are ignored. */
const dollarsMax = 1_000;

/**
 * Cited: pages whose `id` a marker in the text has, and those of annotations. Retrieved: other
 * search results, and fetched pages. All searches of a reply share one numbering.
 */
const perplexityDialect: ResponseDialect = {
  items: ["search_results", "fetch_url_results", ...otherTools],
  usageOf,
  annotations: "loose",
  sourcesOf: ({ output, parts, annotated }, damaged) => {
    const searches = output.filter(({ type }) => type === "search_results");
    const results = searches.flatMap((search) => listAt(search, "results"));
    const fetched = output
      .filter(({ type }) => type === "fetch_url_results")
      .flatMap((item) => listAt(item, "contents"));
    return {
      cited: [...markedIn(parts, pagesById(results, damaged)), ...annotated],
      retrieved: damaged.pagesOf([...results, ...fetched], "url"),
      searchQueries: searches.flatMap((search) => textsAt(search, "queries")),
    };
  },
};

/**
 * Pages by id, without those that a marker cannot refer to: the id is missing, or two pages share
 * it.
 */
function pagesById(
  results: readonly JsonObject[],
  damaged: DamagedSources,
): ReadonlyMap<number, RetrievedPage> {
  const pages = new Map<number, RetrievedPage | null>();
  for (const result of results) {
    const { id, url, title } = result;
    if (typeof id !== "number") damaged.add('a search result lacks "id"');
    // Counted where it is read as a retrieved page.
    if (typeof id !== "number" || typeof url !== "string" || url.trim() === "") continue;
    const earlier = pages.get(id);
    const isOther = earlier !== undefined && earlier?.url !== url;
    if (isOther) damaged.add('the "id" of a search result stands for two pages');
    pages.set(id, isOther ? null : { url, title: typeof title === "string" ? title : null });
  }
  return new Map([...pages].flatMap(([id, page]) => (page === null ? [] : [[id, page] as const])));
}

/** The pages of the markers. A number without a result is part of the text: [2024]. */
function markedIn(
  parts: readonly TextPart[],
  pages: ReadonlyMap<number, RetrievedPage>,
): readonly CitedPage[] {
  return parts.flatMap(({ text, start }) =>
    [...text.matchAll(marker)].flatMap(({ 0: whole, 1: numbers = "", index }) => {
      const span = { start: start + index, end: start + index + whole.length };
      return numbers.split(",").flatMap((number): readonly CitedPage[] => {
        const page = pages.get(Number(number.trim().replace("web:", "")));
        return page === undefined ? [] : [{ ...page, span }];
      });
    }),
  );
}

/** Perplexity reports the cost of each reply, tools included. */
function usageOf(response: JsonObject): Usage {
  const usage = lenientObjectAt(response, "usage");
  const cost = lenientObjectAt(usage, "cost");
  const amount = cost?.["total_cost"];
  const isCost = typeof amount === "number" && amount >= 0 && amount <= dollarsMax;
  const tools = lenientObjectAt(usage, "tool_calls_details");
  const searches = ["web_search", "search_web"].map((name) =>
    countAt(lenientObjectAt(tools, name), "invocation"),
  );
  return tokensOfResponse(usage, {
    searches: Math.max(...searches),
    cost: isCost && cost?.["currency"] === "USD" ? { amount, currency: "USD" } : null,
  });
}

/**
 * Perplexity replies with 401 both to a wrong key and when the balance is used up; 429 is its rate
 * limit.
 */
const perplexityErrors: readonly FailureRule[] = [
  { status: 429, says: /insufficient[ _]quota|insufficient credits/i, class: "stop-vendor" },
  { status: 400, says: /invalid[ _](?:model|preset)/i, class: "stop-part", remedy: setModel },
  { status: 404, says: /model|preset/i, class: "stop-part", remedy: setModel },
];

/** Perplexity's Agent API. */
export const perplexity: Adapter = {
  vendor: "perplexity",
  hosts: [perplexityHost],
  asks: asksOf("perplexity"),
  regionOf: ({ region }) => region,
  refusal: () => null,
  step: singleRequestStep(perplexityRequest, {
    rules: perplexityErrors,
    usageOf: perplexityDialect.usageOf,
    stepOf: (body) => readResponse(body, perplexityDialect),
  }),
  authorize: bearer,
};
