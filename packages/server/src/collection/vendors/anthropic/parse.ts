import type { AnswerWarning, Failure, Usage } from "../../adapter.ts";
import type { CitedPage, RetrievedPage } from "../cited-pages.ts";
import { isUsageTold } from "../collected-answer.ts";
import { DamagedSources } from "../damaged-sources.ts";
import {
  countAt,
  type JsonObject,
  lenientObjectAt,
  listAt,
  objectAt,
  optionalListAt,
  optionalTextAt,
  textAt,
  UnknownShape,
} from "../read-json.ts";
import { toldFailure } from "../reply-failure.ts";
import { searchErrors } from "./errors.ts";

/** What the content of a turn says, over all of its replies. */
export interface TurnContent {
  readonly text: string;
  readonly cited: readonly CitedPage[];
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
  /** Codes of failed searches. */
  readonly searchErrors: readonly string[];
  readonly hasSearched: boolean;
  readonly warnings: readonly AnswerWarning[];
}

/** Cited: the pages that text blocks name. Retrieved: the results of searches. */
export function readContent(blocks: readonly JsonObject[]): TurnContent {
  let text = "";
  let isAfterText = true;
  const cited: CitedPage[] = [];
  const damaged = new DamagedSources();
  for (const block of blocks) {
    const type = textAt(block, "type");
    if (!knownBlocks.includes(type)) throw new UnknownShape(`"${type}" is not a known block`);
    if (type === "text") {
      // Blocks that follow each other are one sentence; between others the model has searched.
      if (!isAfterText && text !== "") text += "\n\n";
      const start = text.length;
      text += textAt(block, "text");
      const span = start < text.length ? { start, end: text.length } : null;
      for (const page of citedBy(block, damaged)) cited.push({ ...page, span });
    }
    isAfterText = type === "text";
  }
  const results = blocks.filter(({ type }) => type === "web_search_tool_result");
  const lists = results.filter(({ content }) => Array.isArray(content));
  if (lists.length > 0) checkCitations(blocks);
  return {
    text,
    cited,
    retrieved: lists.flatMap((result) => damaged.pagesOf(listAt(result, "content"), "url")),
    searchQueries: blocks.flatMap(queryOf),
    searchErrors: results
      .filter(({ content }) => !Array.isArray(content))
      .map((result) => textAt(objectAt(result, "content"), "error_code")),
    hasSearched: lists.length > 0,
    warnings: damaged.warnings,
  };
}

const knownBlocks = [
  ...["text", "thinking", "redacted_thinking"],
  ...["server_tool_use", "web_search_tool_result"],
];

/**
 * Blocks that cite nothing lack the list, so that none need have it. But where none has, and one
 * has a field that nobody knows, that may be the list under another name.
 * @throws UnknownShape then.
 */
function checkCitations(blocks: readonly JsonObject[]): void {
  const texts = blocks.filter(({ type }) => type === "text");
  if (texts.some(({ citations }) => citations != null)) return;
  const known = ["type", "text", "citations"];
  const unknown = texts.flatMap(Object.keys).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new UnknownShape(`no text has "citations", and "${unknown}" is not a known field of it`);
}

function citedBy(block: JsonObject, damaged: DamagedSources): readonly RetrievedPage[] {
  return (optionalListAt(block, "citations") ?? []).flatMap((citation) => {
    const type = textAt(citation, "type");
    if (type === "web_search_result_location") return damaged.pageAt(citation, "url") ?? [];
    throw new UnknownShape(`"${type}" is not a known citation`);
  });
}

function queryOf(block: JsonObject): readonly string[] {
  if (block["type"] !== "server_tool_use" || textAt(block, "name") !== "web_search") return [];
  const query = optionalTextAt(objectAt(block, "input"), "query");
  return query === null ? [] : [query];
}

/**
 * Searches that all failed: the answer would come from what the model knows, not from the web.
 * Null: one gave results, or none was made.
 */
export function searchFailure(content: TurnContent): Failure | null {
  const [code] = content.searchErrors;
  if (content.hasSearched || code === undefined) return null;
  return toldFailure(searchErrors[code] ?? "give-up", `every web search failed: ${code}`);
}

/** Of one reply; Anthropic counts input that was written to or read from a cache apart. */
export function usageOf(message: JsonObject): Usage {
  const usage = lenientObjectAt(message, "usage");
  const cachedInputTokens = countAt(usage, "cache_read_input_tokens");
  const cacheWriteTokens = countAt(usage, "cache_creation_input_tokens");
  const used = {
    inputTokens: countAt(usage, "input_tokens") + cachedInputTokens + cacheWriteTokens,
    ...{ cachedInputTokens, cacheWriteTokens },
    outputTokens: countAt(usage, "output_tokens"),
    searches: countAt(lenientObjectAt(usage, "server_tool_use"), "web_search_requests"),
    cost: null,
  };
  return { ...used, isTold: isUsageTold(used) };
}
