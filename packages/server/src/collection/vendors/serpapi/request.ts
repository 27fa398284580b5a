import type { AskedQuestion, AuthorizedRequest, VendorRequest } from "../../adapter.ts";
import { googleRegion, regionRefusal, regionUnlessSaid } from "../google-regions.ts";

/** The host of SerpApi's API. */
export const serpapiHost = "serpapi.com";

/** A page takes some seconds; SerpApi gives up after a minute. */
const withinMs = 120_000;
/** The prompt is a part of the URL, which servers bound. */
const promptCharactersMax = 2_000;

/** Where Google's own codes of languages are older than, or differ from, those of ISO 639-1. */
const googleLanguages: Readonly<Record<string, string>> = {
  ...{ he: "iw", nb: "no", "zh-TW": "zh-tw" },
};

/** Why a question cannot be asked of SerpApi; null: it can. */
export function serpapiRefusal({ prompt, region, provider, model }: AskedQuestion): string | null {
  if (model !== null) return `SerpApi offers no choice of models, got ${model}`;
  if (prompt.length > promptCharactersMax) {
    return `SerpApi takes prompts of at most ${promptCharactersMax} characters`;
  }
  if (provider !== "COPILOT") return regionRefusal(region, "SerpApi");
  return region === null ? null : "SerpApi cannot ask Copilot for a region";
}

/** The region of a page. SerpApi does not say from where it looks at Copilot. */
export function serpapiRegion({ region, provider }: AskedQuestion): string | null {
  return region ?? (provider === "COPILOT" ? null : regionUnlessSaid);
}

/** The first request: for the page. */
export function serpapiRequest({ prompt, region, provider }: AskedQuestion): VendorRequest {
  if (provider === "COPILOT") return searchRequest({ engine: "bing_copilot", q: prompt });
  const engine = provider === "GOOGLE_AI_MODE" ? "google_ai_mode" : "google";
  const country = region ?? regionUnlessSaid;
  const language = googleRegion(region)?.language ?? "en";
  return searchRequest({
    engine,
    q: prompt,
    gl: country === "GB" ? "uk" : country.toLowerCase(),
    hl: googleLanguages[language] ?? language,
  });
}

/** The engine of the second request. */
const laterEngine = "google_ai_overview";

/** The second request, for an overview that loads after the page. Its token lasts minutes. */
export function serpapiLaterRequest(token: string): VendorRequest {
  return searchRequest({ engine: laterEngine, page_token: token });
}

/** Whether a request is the second one. */
export function isLaterRequest({ path }: Pick<VendorRequest, "path">): boolean {
  return path.includes(`engine=${laterEngine}&`);
}

/** The key is a part of the query: it is added to what is sent, and not to what is kept. */
export function serpapiAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  return { path: `${path}&api_key=${encodeURIComponent(credential)}`, headers: { ...headers } };
}

function searchRequest(parameters: Readonly<Record<string, string>>): VendorRequest {
  // A search within the hour would get the same page again, and samples would be one.
  const query = new URLSearchParams({ ...parameters, no_cache: "true" });
  return {
    method: "GET",
    host: serpapiHost,
    path: `/search.json?${query}`,
    isPaid: true,
    withinMs,
  };
}
