import type {
  Adapter,
  AuthorizedRequest,
  Exchange,
  Step,
  Usage,
  VendorQuestion,
  VendorRequest,
} from "../adapter.ts";
import { type CitedPage, DamagedSources } from "./cited-pages.ts";
import { type Capture, capturedAnswer, failed, noUsage } from "./collected-answer.ts";
import { googleRegion, regionRefusal, regionUnlessSaid } from "./places.ts";
import {
  asksOf,
  type JsonObject,
  lenientObjectAt,
  listAt,
  objectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  parsedObject,
  textAt,
  UnknownShape,
} from "./read-json.ts";
import {
  type FailureRule,
  giveUp,
  notUnderstood,
  replyFailure,
  reportedFailure,
} from "./reply-failure.ts";
import { type RenderedBlocks, renderBlocks } from "./serpapi/text-blocks.ts";

/** The host of SerpApi's API. */
const serpapiHost = "serpapi.com";

/** A page takes some seconds; SerpApi gives up after a minute. */
const withinMs = 120_000;
/** The prompt is a part of the URL, whose length servers limit. */
const promptCharactersMax = 2_000;

/** Google's language codes that are older than, or differ from, ISO 639-1. */
const googleLanguages: Readonly<Record<string, string>> = {
  he: "iw",
  nb: "no",
  "zh-TW": "zh-tw",
};

/** Why SerpApi refuses a question, for people; null: it does not. */
function serpapiRefusal({ prompt, region, provider, model }: VendorQuestion): string | null {
  if (model !== null) return `SerpApi offers no choice of models, got ${model}`;
  if (prompt.length > promptCharactersMax) {
    return `SerpApi takes prompts of at most ${promptCharactersMax} characters`;
  }
  if (provider !== "COPILOT") return regionRefusal(region, "SerpApi");
  return region === null ? null : "SerpApi cannot ask Copilot for a region";
}

/** The region of a page. SerpApi does not document from where it opens Copilot. */
function serpapiRegion({ region, provider }: VendorQuestion): string | null {
  return region ?? (provider === "COPILOT" ? null : regionUnlessSaid);
}

/** The first request: for the page. */
function serpapiRequest({ prompt, region, provider }: VendorQuestion): VendorRequest {
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

/**
 * The second request, for an overview that loads after the page. Its token expires within minutes.
 */
function serpapiLaterRequest(token: string): VendorRequest {
  return searchRequest({ engine: laterEngine, page_token: token });
}

/** Whether a request is the second one. */
function isLaterRequest({ path }: Pick<VendorRequest, "path">): boolean {
  return path.includes(`engine=${laterEngine}&`);
}

/** The key is a part of the query: it is added to the sent request, not to the stored one. */
function serpapiAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  return { path: `${path}&api_key=${encodeURIComponent(credential)}`, headers: { ...headers } };
}

function searchRequest(parameters: Readonly<Record<string, string>>): VendorRequest {
  // Without this, a search within the hour would get the cached page, and samples would be equal.
  const query = new URLSearchParams({ ...parameters, no_cache: "true" });
  return {
    method: "GET",
    host: serpapiHost,
    path: `/search.json?${query}`,
    isPaid: true,
    withinMs,
  };
}

/** The overview of a reply. */
type ReadOverview =
  | { readonly kind: "shown"; readonly capture: Capture }
  /** Google loads the overview after the page; the token requests it. */
  | { readonly kind: "later"; readonly token: string }
  | { readonly kind: "absent" }
  | { readonly kind: "error"; readonly message: string };

/** The billed searches: those that SerpApi reports as successful. */
function usageOf(exchanges: readonly Exchange[]): Usage {
  const searches = exchanges.filter(({ reply }) => {
    return reply.status === 200 && isSuccess(reply.body);
  }).length;
  return { ...noUsage, searches, isReported: searches > 0 };
}

function isSuccess(body: string): boolean {
  try {
    return lenientObjectAt(parsedObject(body), "search_metadata")?.["status"] === "Success";
  } catch {
    // A reply that is not understood may have been billed.
    return true;
  }
}

/** Why a search did not succeed; null: it did. */
function searchFault(body: JsonObject): string | null {
  const status = textAt(objectAt(body, "search_metadata"), "status");
  if (status === "Success") return null;
  return `the search is ${status}: ${optionalTextAt(body, "error") ?? "no reason is given"}`;
}

/** The overview of a page of Google's, or of the second request. */
function readOverview(body: JsonObject, isLater: boolean): ReadOverview {
  const overview = optionalObjectAt(body, "ai_overview");
  const error = optionalTextAt(overview ?? body, "error");
  if (overview === null) {
    if (Object.hasOwn(body, "ai_overview")) throw new UnknownShape('"ai_overview" is null');
    const isPage = !isLater && Array.isArray(body["organic_results"]);
    const isEmpty = error !== null && noOverview.test(error);
    if (isPage || isEmpty) return { kind: "absent" };
    throw new UnknownShape("the reply has neither an overview nor results");
  }
  if (error !== null) return errorOf(error);
  const blocks = optionalListAt(overview, "text_blocks");
  if (blocks !== null) return { kind: "shown", capture: captureOf(overview, null) };
  if (isLater) throw new UnknownShape('the reply lacks "text_blocks"');
  return { kind: "later", token: textAt(overview, "page_token") };
}

function errorOf(message: string): ReadOverview {
  return noOverview.test(message) ? { kind: "absent" } : { kind: "error", message };
}

/** The answer of Google's AI Mode; null: there is none. */
function readAiMode(body: JsonObject): Capture | null {
  const error = optionalTextAt(body, "error");
  if (error !== null && noOverview.test(error)) return null;
  if (error !== null) throw new UnknownShape(`the page has an error: ${error}`);
  return captureOf(body, optionalTextAt(body, "reconstructed_markdown"));
}

/** The answer of Copilot's page. */
function readCopilot(body: JsonObject): Capture {
  const error = optionalTextAt(body, "error");
  if (error !== null) throw new UnknownShape(`the page has an error: ${error}`);
  const header = optionalTextAt(body, "header");
  const blocks = listAt(body, "text_blocks");
  const heading = { type: "heading", level: 1, snippet: header };
  return captureOf(header === null ? body : { ...body, text_blocks: [heading, ...blocks] }, null);
}

/**
 * Blocks and their references; `markdown` is the same text with its emphasis, if there is one.
 * @throws UnknownShape when the text refers to a missing list.
 */
function captureOf(holder: JsonObject, markdown: string | null): Capture {
  const damaged = new DamagedSources();
  const rendered = renderBlocks(listAt(holder, "text_blocks"), damaged);
  const { text, citing } = markdown === null ? rendered : placedIn(markdown, rendered);
  const references = optionalListAt(holder, "references");
  if (references === null && rendered.citing.length > 0) {
    throw new UnknownShape('the text refers to "references", which are not there');
  }
  const indexes = new Set<unknown>(references?.map(({ index }) => index));
  for (const { index } of rendered.citing) {
    if (!indexes.has(index)) damaged.add("the text refers to a reference that is not there");
  }
  const cited = (references ?? []).flatMap((reference): readonly CitedPage[] => {
    const page = damaged.pageAt(reference, "link");
    if (page === null) return [];
    const parts = citing.filter(({ index }) => index === reference["index"]);
    // The answer shows all of its references, even those that no part refers to.
    return parts.length === 0
      ? [{ ...page, span: null }]
      : parts.map(({ span }) => ({ ...page, span }));
  });
  const { warnings } = damaged;
  return { text, cited, retrieved: [], searchQueries: [], model: null, warnings };
}

/** Finds the citing parts in another form of the text; those not found have no range. */
function placedIn(markdown: string, { text, citing }: RenderedBlocks): RenderedBlocks {
  let from = 0;
  const placed = citing.flatMap(({ index, span }) => {
    const part = text.slice(span.start, span.end);
    const start = markdown.indexOf(part, from);
    if (start === -1) return [];
    from = start;
    return [{ index, span: { start, end: start + part.length } }];
  });
  return { text: markdown, citing: placed };
}

/** SerpApi replies with 429 both at a rate limit and when no searches are left. */
const serpapiErrors: readonly FailureRule[] = [
  { status: 429, says: /run out of searches/i, class: "stop-vendor" },
];

/** The error of a page for which Google shows no overview. */
const noOverview = /not available for this search|hasn't returned any results/i;
/** The error of an overview that Google did not create in time. */
const overviewLater = /try again/i;

/** SerpApi: the pages of Google Search, of its AI Mode and of Copilot. */
export const serpapi: Adapter = {
  vendor: "serpapi",
  hosts: [serpapiHost],
  asks: asksOf("serpapi"),
  regionOf: serpapiRegion,
  refusal: serpapiRefusal,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: serpapiRequest(question) };
    const usage = usageOf(exchanges);
    const failure = replyFailure(last, serpapiErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      return stepOf(question, last, usage);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: serpapiAuthorized,
};

function stepOf({ provider }: VendorQuestion, last: Exchange, usage: Usage): Step {
  const body = parsedObject(last.reply.body);
  const fault = searchFault(body);
  if (fault !== null) return failed(reportedFailure("retry", fault), usage);
  if (provider === "GOOGLE_AI_MODE") return capturedAnswer(readAiMode(body), usage);
  if (provider === "COPILOT") return capturedAnswer(readCopilot(body), usage);
  return overviewStep(body, { isLater: isLaterRequest(last.request), usage });
}

interface OfOverview {
  /** Whether the reply answers the second request. */
  readonly isLater: boolean;
  readonly usage: Usage;
}

function overviewStep(body: JsonObject, { isLater, usage }: OfOverview): Step {
  const overview = readOverview(body, isLater);
  switch (overview.kind) {
    case "shown":
      return capturedAnswer(overview.capture, usage);
    case "absent":
      return capturedAnswer(null, usage);
    case "later":
      return { kind: "send", request: serpapiLaterRequest(overview.token) };
    case "error": {
      const { message } = overview;
      const failure = overviewLater.test(message)
        ? reportedFailure("retry", message)
        : giveUp(message);
      return failed(failure, usage);
    }
  }
}
