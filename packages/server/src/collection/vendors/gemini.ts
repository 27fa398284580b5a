import { urlCharactersMax } from "../../answers/intake/answer-schema.ts";
import type {
  Adapter,
  AnswerWarning,
  AuthorizedRequest,
  Exchange,
  Step,
  Usage,
  VendorQuestion,
  VendorRequest,
} from "../adapter.ts";
import {
  type CitedPage,
  citationsOf,
  DamagedSources,
  offsetsIn,
  type RetrievedPage,
  type Span,
} from "./cited-pages.ts";
import {
  answered,
  failed,
  isUsageReported,
  type ReplyReader,
  readReply,
} from "./collected-answer.ts";
import { defaultModels } from "./default-models.ts";
import {
  asksOf,
  countAt,
  type JsonObject,
  lenientObjectAt,
  listAt,
  objectAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
  textsAt,
  UnknownShape,
} from "./read-json.ts";
import { type FailureRule, giveUp, setModel } from "./reply-failure.ts";

/** The host of the Gemini API. */
export const geminiHost = "generativelanguage.googleapis.com";
/** The host of the links that the Gemini API gives instead of pages' own addresses. */
const redirectHost = "vertexaisearch.cloud.google.com";

/** Thinking is part of the output. */
const outputTokensMax = 8_000;
const withinMs = 180_000;
const redirectWithinMs = 10_000;

/** The request to `generateContent` with Google Search; the prompt is sent unchanged. */
function geminiRequest(question: VendorQuestion): VendorRequest {
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

/** The free request that resolves a link of Google's: its reply has the page in `location`. */
function redirectRequest(path: string): VendorRequest {
  const withoutCost = { isPaid: false, withinMs: redirectWithinMs };
  return { method: "GET", host: redirectHost, path, ...withoutCost };
}

/** Refuses regions: `generateContent` has no field for a country. */
function geminiRefusal({ region }: VendorQuestion): string | null {
  return region === null ? null : "The Gemini API takes no region. Ask GEMINI without regions.";
}

/** The key is sent to the API only, not to the host of the links. */
function geminiAuthorized(request: VendorRequest, credential: string): AuthorizedRequest {
  const { host, path, headers = {} } = request;
  if (host !== geminiHost) return { path, headers };
  return { path, headers: { ...headers, "x-goog-api-key": credential } };
}

/** A parsed reply, whose pages have Google's links as URLs. */
type ReadReply =
  | { readonly ended: Step }
  | {
      readonly text: string;
      readonly cited: readonly CitedPage[];
      readonly retrieved: readonly RetrievedPage[];
      readonly searchQueries: readonly string[];
      readonly model: string | null;
      readonly warnings: readonly AnswerWarning[];
    };

/** Cited: chunks that a support refers to. Retrieved: the other chunks. */
function readGeminiReply(reply: JsonObject): ReadReply {
  const usage = usageOf(reply);
  const model = optionalTextAt(reply, "modelVersion");
  const feedback = optionalObjectAt(reply, "promptFeedback");
  const blocked = feedback === null ? null : optionalTextAt(feedback, "blockReason");
  if (blocked !== null) return { ended: refused("", model, usage) };
  const [candidate] = listAt(reply, "candidates");
  if (candidate === undefined) throw new UnknownShape("the reply has no candidate");
  const { parts, text } = partsOf(candidate);
  const finish = textAt(candidate, "finishReason");
  if (blockReasons.includes(finish)) return { ended: refused(text, model, usage) };
  if (finish !== "STOP") {
    return { ended: failed(giveUp(`the answer is incomplete: ${finish}`), usage) };
  }
  const grounding = optionalObjectAt(candidate, "groundingMetadata") ?? {};
  const damaged = new DamagedSources();
  const chunks = (optionalListAt(grounding, "groundingChunks") ?? []).map((chunk) =>
    damaged.pageAt(objectAt(chunk, "web"), "uri"),
  );
  // Only supports mark citations: without them all chunks would count as retrieved.
  const supports =
    chunks.length > 0
      ? listAt(grounding, "groundingSupports")
      : (optionalListAt(grounding, "groundingSupports") ?? []);
  return {
    text,
    cited: supports.flatMap((support) => citedBy(support, { chunks, parts, text }, damaged)),
    retrieved: chunks.filter((page) => page !== null),
    searchQueries: textsAt(grounding, "webSearchQueries"),
    model,
    warnings: damaged.warnings,
  };
}

interface Part {
  /** Empty: the part is a thought, or has no text. */
  readonly text: string;
  readonly start: number;
  readonly offsetOf: (bytes: number) => number | null;
}

function partsOf(candidate: JsonObject): {
  readonly parts: readonly Part[];
  readonly text: string;
} {
  const content = optionalObjectAt(candidate, "content");
  const parts: Part[] = [];
  let text = "";
  for (const part of (content === null ? null : optionalListAt(content, "parts")) ?? []) {
    const said = part["thought"] === true ? "" : (optionalTextAt(part, "text") ?? "");
    parts.push({ text: said, start: text.length, offsetOf: offsetsIn(said, "UTF-8 bytes") });
    text += said;
  }
  return { parts, text };
}

function refused(text: string, model: string | null, usage: Usage): Step {
  const nothing = { citations: [], searchQueries: [], warnings: [] };
  return answered({ outcome: "refused", text, ...nothing, model, usage });
}

/** The chunks and parts that supports refer to. */
interface Supported {
  /** Null: the chunk cannot be read. */
  readonly chunks: readonly (RetrievedPage | null)[];
  readonly parts: readonly Part[];
  readonly text: string;
}

function citedBy(
  support: JsonObject,
  { chunks, ...said }: Supported,
  damaged: DamagedSources,
): readonly CitedPage[] {
  const indices = support["groundingChunkIndices"];
  if (indices == null) throw new UnknownShape('a support lacks "groundingChunkIndices"');
  if (!Array.isArray(indices)) throw new UnknownShape("a support's chunks are not a list");
  const span = spanOf(optionalObjectAt(support, "segment") ?? {}, said);
  return indices.flatMap((index: unknown): readonly CitedPage[] => {
    const page = typeof index === "number" ? chunks[index] : undefined;
    if (page === undefined) damaged.add("a support names a chunk that is not there");
    return page == null ? [] : [{ ...page, span }];
  });
}

/**
 * The range of a segment; null: unknown. Offsets are UTF-8 bytes of the part; 0 is left out. If
 * they do not enclose the segment's text, as in replies with thoughts that name no part, the range
 * is that of the text if it occurs once.
 */
function spanOf(segment: JsonObject, { parts, text }: Omit<Supported, "chunks">): Span | null {
  const [index, from, to] = ["partIndex", "startIndex", "endIndex"].map((field) => {
    const value = segment[field] ?? 0;
    return typeof value === "number" ? value : -1;
  });
  const said = optionalTextAt(segment, "text");
  const part = parts[index ?? 0];
  const [start, end] = [part?.offsetOf(from ?? -1) ?? null, part?.offsetOf(to ?? -1) ?? null];
  if (part !== undefined && start !== null && end !== null && start < end) {
    const isSaid = said === null || part.text.slice(start, end) === said;
    if (isSaid) return { start: part.start + start, end: part.start + end };
  }
  const first = said === null || said === "" ? -1 : text.indexOf(said);
  if (said === null || first === -1 || text.indexOf(said, first + 1) !== -1) return null;
  return { start: first, end: first + said.length };
}

/** The answer, with Google's links resolved. */
function geminiAnswer(
  read: Exclude<ReadReply, { ended: Step }>,
  pageUrlOf: (url: string) => string,
  usage: Usage,
): Step {
  const { text, searchQueries, model, warnings } = read;
  const cited = read.cited.map((page) => ({ ...page, url: pageUrlOf(page.url) }));
  const retrieved = read.retrieved.map((page) => ({ ...page, url: pageUrlOf(page.url) }));
  const citations = citationsOf(cited, retrieved);
  const sources = { citations, searchQueries, warnings };
  return answered({ outcome: "answered", text, ...sources, model, usage });
}

/** Each of Google's queries is billed; search results count as input, thinking as output. */
function usageOf(reply: JsonObject): Usage {
  const usage = lenientObjectAt(reply, "usageMetadata");
  const candidates: unknown = reply["candidates"];
  const [candidate] = Array.isArray(candidates) ? candidates : [];
  const grounding = lenientObjectAt({ candidate }, "candidate");
  const queries = lenientObjectAt(grounding, "groundingMetadata")?.["webSearchQueries"];
  const used = {
    inputTokens: countAt(usage, "promptTokenCount") + countAt(usage, "toolUsePromptTokenCount"),
    cachedInputTokens: countAt(usage, "cachedContentTokenCount"),
    cacheWriteTokens: 0,
    outputTokens: countAt(usage, "candidatesTokenCount") + countAt(usage, "thoughtsTokenCount"),
    searches: Array.isArray(queries) ? queries.length : 0,
    cost: null,
  };
  // A blocked prompt is read but not answered; Google leaves out zeros.
  const isBlocked = lenientObjectAt(reply, "promptFeedback")?.["blockReason"] != null;
  return { ...used, isReported: isUsageReported(used) || (isBlocked && used.inputTokens > 0) };
}

/**
 * Google replies with 400 to a wrong key and when a project needs a billing account; and with the
 * status of a rate limit when prepaid credit is used up, which no waiting fixes.
 */
const geminiErrors: readonly FailureRule[] = [
  { status: 400, says: /API_KEY_INVALID|API key|FAILED_PRECONDITION/, class: "stop-vendor" },
  { status: 429, says: /credits are depleted/, class: "stop-vendor" },
  {
    status: 429,
    says: /PerDay/,
    class: "wait",
    remedy: "The quota of the day is used up until midnight Pacific Time.",
  },
  { status: 404, says: /NOT_FOUND|model/i, class: "stop-part", remedy: setModel },
];

/** The reasons why Google blocks or truncates an answer for its content or the prompt's. */
const blockReasons: readonly string[] = [...["SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII"]];

/** An answer cites some ten pages; links above this number stay unresolved. */
const redirectsMax = 50;
const redirectPrefix = `https://${redirectHost}/grounding-api-redirect/`;

/** The path of one of Google's links, which expire after some weeks; null: another URL. */
function redirectPathOf(url: string): string | null {
  if (!url.startsWith(redirectPrefix) || !URL.canParse(url)) return null;
  const { host, pathname, search } = new URL(url);
  return host === redirectHost && pathname.startsWith("/grounding-api-redirect/")
    ? `${pathname}${search}`
    : null;
}

/** The first link, in this order, that is not resolved yet; null: all are. */
function nextRedirect(urls: readonly string[], exchanges: readonly Exchange[]): string | null {
  const paths = new Set(urls.map(redirectPathOf).filter((path) => path !== null));
  const known = lookUpsOf(exchanges);
  return [...paths].slice(0, redirectsMax).find((path) => !known.has(path)) ?? null;
}

/**
 * The page that a link leads to; the URL itself for other links, or if it could not be resolved:
 * the link expired or the request failed. Its title then still has the domain.
 */
function pageOfRedirect(url: string, exchanges: readonly Exchange[]): string {
  const path = redirectPathOf(url);
  const location = path === null ? undefined : lookUpsOf(exchanges).get(path);
  return location ?? url;
}

/** Path → target; undefined: the reply did not give it. */
function lookUpsOf(exchanges: readonly Exchange[]): ReadonlyMap<string, string | undefined> {
  const lookUps = exchanges.filter(({ request }) => request.host === redirectHost);
  return new Map(
    lookUps.map(({ request, reply }) => {
      const location = reply.headers["location"] ?? "";
      const isRedirect = reply.status >= 300 && reply.status < 400 && isPage(location);
      return [request.path, isRedirect ? location : undefined];
    }),
  );
}

function isPage(location: string): boolean {
  if (location.length > urlCharactersMax) return false;
  return /^https?:\/\//i.test(location) && URL.canParse(location);
}

/** Google's `generateContent` with Google Search; its links are resolved. */
export const gemini: Adapter = {
  vendor: "gemini",
  hosts: [geminiHost, redirectHost],
  asks: asksOf("gemini"),
  regionOf: ({ region }) => region,
  refusal: geminiRefusal,
  step: (question, exchanges) => {
    const reply = exchanges.findLast(({ request }) => request.host !== redirectHost);
    if (reply === undefined) return { kind: "send", request: geminiRequest(question) };
    return readReply(reply, readerAfter(exchanges));
  },
  authorize: geminiAuthorized,
};

/** Links are resolved one after another: each is free and quick. */
function readerAfter(exchanges: readonly Exchange[]): ReplyReader {
  return {
    rules: geminiErrors,
    usageOf,
    stepOf: (body): Step => {
      const read = readGeminiReply(body);
      if ("ended" in read) return read.ended;
      const urls = [...read.cited, ...read.retrieved].map(({ url }) => url);
      const path = nextRedirect(urls, exchanges);
      if (path !== null) return { kind: "send", request: redirectRequest(path) };
      const pages = new Map(urls.map((url) => [url, pageOfRedirect(url, exchanges)]));
      return geminiAnswer(read, (url) => pages.get(url) ?? url, usageOf(body));
    },
  };
}
