import type { Exchange, Usage } from "../../adapter.ts";
import type { Capture } from "../capture.ts";
import type { CitedPage } from "../cited-pages.ts";
import { noUsage } from "../collected-answer.ts";
import { DamagedSources } from "../damaged-sources.ts";
import {
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
} from "../read-json.ts";
import { noOverview } from "./errors.ts";
import { type RenderedBlocks, renderBlocks } from "./text-blocks.ts";

/** What a reply shows of an overview. */
export type ReadOverview =
  | { readonly kind: "shown"; readonly capture: Capture }
  /** Google loads it after the page: the token leads to it. */
  | { readonly kind: "later"; readonly token: string }
  | { readonly kind: "absent" }
  | { readonly kind: "error"; readonly message: string };

/** Searches that were billed: those that SerpApi calls a success. */
export function usageOf(exchanges: readonly Exchange[]): Usage {
  const searches = exchanges.filter(({ reply }) => {
    return reply.status === 200 && isSuccess(reply.body);
  }).length;
  return { ...noUsage, searches, isTold: searches > 0 };
}

function isSuccess(body: string): boolean {
  try {
    return lenientObjectAt(parsedObject(body), "search_metadata")?.["status"] === "Success";
  } catch {
    // What is not understood may have been billed.
    return true;
  }
}

/** Why a search did not succeed; null: it did. */
export function searchFault(body: JsonObject): string | null {
  const status = textAt(objectAt(body, "search_metadata"), "status");
  if (status === "Success") return null;
  return `the search is ${status}: ${optionalTextAt(body, "error") ?? "no reason is given"}`;
}

/** The overview of a page of Google's, or of the second request. */
export function readOverview(body: JsonObject, isLater: boolean): ReadOverview {
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

/** The answer of Google's AI Mode; null: the page shows none. */
export function readAiMode(body: JsonObject): Capture | null {
  const error = optionalTextAt(body, "error");
  if (error !== null && noOverview.test(error)) return null;
  if (error !== null) throw new UnknownShape(`the page has an error: ${error}`);
  return captureOf(body, optionalTextAt(body, "reconstructed_markdown"));
}

/** The answer of Copilot's page. */
export function readCopilot(body: JsonObject): Capture {
  const error = optionalTextAt(body, "error");
  if (error !== null) throw new UnknownShape(`the page has an error: ${error}`);
  const header = optionalTextAt(body, "header");
  const blocks = listAt(body, "text_blocks");
  const heading = { type: "heading", level: 1, snippet: header };
  return captureOf(header === null ? body : { ...body, text_blocks: [heading, ...blocks] }, null);
}

/**
 * Blocks and their references; `markdown` is the same text with its emphasis, if there is one.
 * @throws UnknownShape when the text refers to a list that is not there.
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
    if (!indexes.has(index)) damaged.note("the text refers to a reference that is not there");
  }
  const cited = (references ?? []).flatMap((reference): readonly CitedPage[] => {
    const page = damaged.pageAt(reference, "link");
    if (page === null) return [];
    const parts = citing.filter(({ index }) => index === reference["index"]);
    // The answer shows all of its references, also those that no part of it names.
    return parts.length === 0
      ? [{ ...page, span: null }]
      : parts.map(({ span }) => ({ ...page, span }));
  });
  const { warnings } = damaged;
  return { text, cited, retrieved: [], searchQueries: [], model: null, warnings };
}

/** Where the parts that cite stand in another form of the text; those not found there: nowhere. */
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
