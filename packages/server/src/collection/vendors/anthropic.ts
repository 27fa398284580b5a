import type {
  Adapter,
  AnswerWarning,
  AuthorizedRequest,
  Exchange,
  Failure,
  FailureClass,
  Step,
  Usage,
  VendorQuestion,
  VendorRequest,
} from "../adapter.ts";
import { type CitedPage, citationsOf, DamagedSources, type RetrievedPage } from "./cited-pages.ts";
import { answered, failed, isUsageReported, noUsage } from "./collected-answer.ts";
import { defaultModels } from "./default-models.ts";
import { userLocationOf } from "./places.ts";
import {
  asksOf,
  countAt,
  isObject,
  type JsonObject,
  lenientObjectAt,
  listAt,
  objectAt,
  optionalListAt,
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
  setModel,
} from "./reply-failure.ts";

/** The host of Anthropic's API. */
export const anthropicHost = "api.anthropic.com";

/** Thinking is part of the output. */
const outputTokensMax = 8_000;
/** Bounds the cost of a request. */
const searchesMax = 5;
/** A model that thinks and searches takes up to a few minutes. */
const withinMs = 300_000;

/**
 * The request to the Messages API with web search; the prompt is sent unchanged. A paused turn
 * continues when its content so far is sent back unchanged.
 */
function anthropicRequest(
  question: VendorQuestion,
  saidSoFar: readonly JsonObject[],
): VendorRequest {
  const { messages, ...body } = anthropicBody(question);
  const said = saidSoFar.length === 0 ? [] : [{ role: "assistant", content: saidSoFar }];
  return {
    method: "POST",
    host: anthropicHost,
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: { ...body, messages: [...messages, ...said] },
    isPaid: true,
    withinMs,
  };
}

/** The body of the first request; a test compares it with the types of Anthropic's client. */
export function anthropicBody(question: VendorQuestion) {
  const location = userLocationOf(question);
  const search = {
    // Not the later version: it filters results with code whose outcome the reply hides.
    type: "web_search_20250305" as const,
    name: "web_search" as const,
    max_uses: searchesMax,
    ...(location === null ? {} : { user_location: { type: "approximate" as const, ...location } }),
  };
  return {
    model: question.model ?? defaultModels.anthropic,
    max_tokens: outputTokensMax,
    messages: [{ role: "user" as const, content: question.prompt }],
    tools: [search],
  };
}

/** The key is sent in a header field of Anthropic's own. */
function anthropicAuthorized(
  { path, headers }: VendorRequest,
  credential: string,
): AuthorizedRequest {
  return { path, headers: { ...headers, "x-api-key": credential } };
}

/** The content of a turn, over all of its replies. */
interface TurnContent {
  readonly text: string;
  readonly cited: readonly CitedPage[];
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
  /** The error codes of failed searches. */
  readonly searchErrors: readonly string[];
  readonly hasSearched: boolean;
  readonly warnings: readonly AnswerWarning[];
}

/** Cited: pages of text blocks. Retrieved: results of searches. */
function readContent(blocks: readonly JsonObject[]): TurnContent {
  let text = "";
  let isAfterText = true;
  const cited: CitedPage[] = [];
  const damaged = new DamagedSources();
  for (const block of blocks) {
    const type = textAt(block, "type");
    if (!knownBlocks.includes(type)) throw new UnknownShape(`"${type}" is not a known block`);
    if (type === "text") {
      // Adjacent blocks are one sentence; between others the model has searched.
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
 * Blocks without citations lack the list, so none need have it. But if none has it, and one has an
 * unknown field, that may be the list under a new name. @throws UnknownShape then.
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
 * The failure of a turn whose searches all failed: its answer would come from the model's
 * knowledge, not from the web. Null: a search gave results, or none was made.
 */
function searchFailure(content: TurnContent): Failure | null {
  const [code] = content.searchErrors;
  if (content.hasSearched || code === undefined) return null;
  return reportedFailure(searchErrors[code] ?? "give-up", `every web search failed: ${code}`);
}

/**
 * The usage of one reply; Anthropic counts input that was written to or read from a cache
 * separately.
 */
function usageOf(message: JsonObject): Usage {
  const usage = lenientObjectAt(message, "usage");
  const cachedInputTokens = countAt(usage, "cache_read_input_tokens");
  const cacheWriteTokens = countAt(usage, "cache_creation_input_tokens");
  const used = {
    inputTokens: countAt(usage, "input_tokens") + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    outputTokens: countAt(usage, "output_tokens"),
    searches: countAt(lenientObjectAt(usage, "server_tool_use"), "web_search_requests"),
    cost: null,
  };
  return { ...used, isReported: isUsageReported(used) };
}

/**
 * Anthropic replies with 400 or 429 when the balance is used up, and with 400 when its console does
 * not allow web search; codes or words tell them apart. Its 404 is always a model.
 */
const anthropicErrors: readonly FailureRule[] = [
  { status: 400, says: /credit balance|spend limit|usage limits/i, class: "stop-vendor" },
  {
    status: 400,
    says: /web search is not enabled/i,
    class: "stop-vendor",
    remedy: "An administrator must enable web search in Anthropic's console.",
  },
  { status: 404, says: /not_found_error|model/i, class: "stop-part", remedy: setModel },
  { status: 429, says: /enforced_spend_limit_reached/, class: "stop-vendor" },
];

/** The classes of a search's errors, which come in replies of status 200. */
const searchErrors: Readonly<Record<string, FailureClass>> = {
  too_many_requests: "wait",
  unavailable: "retry",
};

/** How often a paused turn continues: each time is paid for, with all input again. */
const continuationsMax = 3;

/** Anthropic's Messages API with web search. */
export const anthropic: Adapter = {
  vendor: "anthropic",
  hosts: [anthropicHost],
  asks: asksOf("anthropic"),
  regionOf: ({ region }) => region,
  refusal: () => null,
  step: (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: anthropicRequest(question, []) };
    const turn = turnOf(exchanges);
    const usage = turn.map(usageOf).reduce(sumOf, { ...noUsage, isReported: turn.length > 0 });
    const failure = replyFailure(last, anthropicErrors);
    if (failure !== null) return failed(failure, usage);
    try {
      parsedObject(last.reply.body); // of the last reply, which the turn leaves out when it is none
      return turnStep(question, turn, usage);
    } catch (error) {
      return failed(notUnderstood(error), usage);
    }
  },
  authorize: anthropicAuthorized,
};

/** The replies of the latest turn: the last one, and the paused ones immediately before it. */
function turnOf(exchanges: readonly Exchange[]): readonly JsonObject[] {
  const replies = exchanges
    .filter(({ reply }) => reply.status === 200)
    .map(({ reply }) => bodyOf(reply.body));
  const before = replies.slice(0, -1).findLastIndex((body) => body?.["stop_reason"] !== paused);
  return replies.slice(before + 1).filter((body) => body !== null);
}

const paused = "pause_turn";

function bodyOf(body: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function turnStep(question: VendorQuestion, turn: readonly JsonObject[], usage: Usage): Step {
  const last = turn.at(-1);
  if (last === undefined || textAt(last, "type") !== "message") {
    throw new UnknownShape("it is not a message");
  }
  const blocks = turn.flatMap((message) => listAt(message, "content"));
  const stopReason = textAt(last, "stop_reason");
  if (stopReason === paused) {
    if (turn.length <= continuationsMax) {
      return { kind: "send", request: anthropicRequest(question, blocks) };
    }
    return failed(giveUp(`the turn was paused ${turn.length} times`), usage);
  }
  const isRefused = stopReason === "refusal";
  if (!isRefused && !["end_turn", "stop_sequence"].includes(stopReason)) {
    return failed(giveUp(`the answer is incomplete: ${stopReason}`), usage);
  }
  const content = readContent(blocks);
  const failure = isRefused ? null : searchFailure(content);
  if (failure !== null) return failed(failure, usage);
  return answered({
    outcome: isRefused ? "refused" : "answered",
    text: content.text,
    citations: citationsOf(content.cited, content.retrieved),
    searchQueries: content.searchQueries,
    model: optionalTextAt(last, "model"),
    usage,
    warnings: content.warnings,
  });
}

function sumOf(a: Usage, b: Usage): Usage {
  return {
    ...a,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    searches: a.searches + b.searches,
    isReported: a.isReported && b.isReported,
  };
}
