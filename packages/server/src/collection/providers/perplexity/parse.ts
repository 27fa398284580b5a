import type { Usage } from "../../adapter.ts";
import type { CitedPage, RetrievedPage } from "../cited-pages.ts";
import {
  countAt,
  type JsonObject,
  lenientObjectAt,
  listAt,
  optionalTextAt,
  textsAt,
  UnknownShape,
  urlAt,
} from "../read-json.ts";
import {
  type ResponseDialect,
  type TextPart,
  tokensOfResponse,
  urlCitations,
} from "../response-object.ts";

/** Tools whose results are no pages; presets may bring them along. */
const otherTools = ["reasoning", "function_call", "skill_loaded", "sandbox_results"];
/** [1], [web:1], [1, 2]. A link's text is none: its bracket is followed by a parenthesis. */
const marker = /\[((?:web:)?\d{1,6}(?:\s*,\s*(?:web:)?\d{1,6})*)\](?!\()/g;
/** More than any answer costs: what is above is not believed. */
const dollarsMax = 1_000;

/**
 * Cited: pages whose `id` a marker in the text names, and those of annotations. Retrieved: the
 * other results of its searches, and what it fetched. All searches of a reply number as one.
 */
export const perplexityDialect: ResponseDialect = {
  items: ["search_results", "fetch_url_results", ...otherTools],
  usageOf,
  sourcesOf: (output, parts) => {
    const searches = output.filter(({ type }) => type === "search_results");
    const results = searches.flatMap((search) => listAt(search, "results"));
    const fetched = output
      .filter(({ type }) => type === "fetch_url_results")
      .flatMap((item) => listAt(item, "contents"));
    return {
      cited: [...markedIn(parts, pagesById(results)), ...urlCitations(parts)],
      retrieved: [...results, ...fetched].map(pageOf),
      searchQueries: searches.flatMap((search) => textsAt(search, "queries")),
    };
  },
};

function pageOf(result: JsonObject): RetrievedPage {
  return { url: urlAt(result, "url"), title: optionalTextAt(result, "title") };
}

/** @throws UnknownShape when a number stands for two pages: a marker would name the wrong one. */
function pagesById(results: readonly JsonObject[]): ReadonlyMap<number, RetrievedPage> {
  const pages = new Map<number, RetrievedPage>();
  for (const result of results) {
    const id = result["id"];
    if (typeof id !== "number") throw new UnknownShape('"id" of a search result is not a number');
    const page = pageOf(result);
    if ((pages.get(id)?.url ?? page.url) !== page.url) {
      throw new UnknownShape(`search result ${id} stands for two pages`);
    }
    pages.set(id, page);
  }
  return pages;
}

/** The pages that markers name. A number that no result has is a part of the text: [2024]. */
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

/** Perplexity says what each reply cost, tools included. */
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
