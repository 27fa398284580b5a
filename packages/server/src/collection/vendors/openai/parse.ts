import type { Usage } from "../../adapter.ts";
import type { RetrievedPage } from "../cited-pages.ts";
import type { DamagedSources } from "../damaged-sources.ts";
import {
  countAt,
  isObject,
  type JsonObject,
  lenientObjectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
  textsAt,
} from "../read-json.ts";
import { type ResponseDialect, tokensOfResponse } from "../response-object.ts";

/** Cited: what `url_citation` annotations name. Retrieved: the sources of each search. */
export const openaiDialect: ResponseDialect = {
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

/** What a search call did: searched, opened a page or looked for a text in it. */
function actionOf(item: JsonObject): readonly JsonObject[] {
  if (item["type"] !== "web_search_call") return [];
  const action = optionalObjectAt(item, "action");
  return action === null ? [] : [action];
}

const isPage = (source: JsonObject): boolean => source["type"] === "url" || "url" in source;

/** Sources that are no pages, such as OpenAI's own feeds of weather, have a name and no URL. */
function sourcesOf(action: JsonObject, damaged: DamagedSources): readonly RetrievedPage[] {
  const sources = optionalListAt(action, "sources") ?? [];
  return damaged.pagesOf(sources.filter(isPage), "url");
}

/** Newer replies list several queries of a search, the first of which is also its `query`. */
function queriesOf(action: JsonObject): readonly string[] {
  if (textAt(action, "type") !== "search") return [];
  const queries = textsAt(action, "queries");
  const query = optionalTextAt(action, "query");
  return queries.length > 0 ? queries : [query].filter((each) => each !== null);
}

/**
 * OpenAI says how many searches it bills; in replies without it they are counted: opening a page
 * and looking into it are free.
 */
function usageOf(response: JsonObject): Usage {
  const usage = lenientObjectAt(response, "usage");
  const billed = lenientObjectAt(lenientObjectAt(response, "tool_usage"), "web_search");
  const isBilledTold = typeof billed?.["num_requests"] === "number";
  const searches = isBilledTold ? countAt(billed, "num_requests") : countedSearches(response);
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
