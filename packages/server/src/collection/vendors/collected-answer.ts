import {
  citationsMax,
  textCharactersMax,
  urlCharactersMax,
} from "../../answers/intake/answer-schema.ts";
import type {
  Adapter,
  AnswerWarning,
  CollectedAnswer,
  Exchange,
  Failure,
  Step,
  Usage,
  VendorQuestion,
  VendorRequest,
} from "../adapter.ts";
import { type CitedPage, citationsOf, type RetrievedPage } from "./cited-pages.ts";
import { type JsonObject, parsedObject, UnknownShape } from "./read-json.ts";
import { type FailureRule, notUnderstood, replyFailure } from "./reply-failure.ts";

/** What a question used of which nothing is known. */
export const noUsage: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  searches: 0,
  cost: null,
  isReported: false,
};

/** Whether a model's reply says what it used: each reads and writes tokens, or names its cost. */
export function isUsageReported({
  inputTokens,
  outputTokens,
  cost,
}: Omit<Usage, "isReported">): boolean {
  return cost !== null || (inputTokens > 0 && outputTokens > 0);
}

/** How a vendor's single reply is read. */
export interface ReplyReader {
  readonly rules: readonly FailureRule[];
  /** Lenient: of a reply that may be no answer. */
  readonly usageOf: (body: JsonObject) => Usage;
  /** May throw: what it throws becomes a failure. */
  readonly stepOf: (body: JsonObject) => Step;
}

/** A step that ends with a failure. */
export function failed(failure: Failure, usage: Usage): Step {
  return { kind: "failed", failure, usage };
}

/**
 * A step that ends with an answer, if the record takes it.
 * @throws UnknownShape for an answered one without a text, or beyond the bounds of the record.
 */
export function answered(answer: CollectedAnswer): Step {
  if (answer.outcome === "answered" && answer.text.trim() === "") {
    throw new UnknownShape("the answer has no text");
  }
  if (answer.text.length > textCharactersMax) throw new UnknownShape("the text is too long");
  if (answer.citations.length > citationsMax) throw new UnknownShape("too many citations");
  if (answer.citations.some(({ url }) => url.length > urlCharactersMax)) {
    throw new UnknownShape("the URL of a citation is too long");
  }
  const { text, searchQueries } = answer;
  const queries = searchQueries.map((query) => query.toWellFormed());
  return {
    kind: "answered",
    answer: { ...answer, text: text.toWellFormed(), searchQueries: queries },
  };
}

/** What the reply to a single request asks for. Never throws. */
export function readReply(exchange: Exchange, reader: ReplyReader): Step {
  const failure = replyFailure(exchange, reader.rules);
  if (failure !== null) return failed(failure, noUsage);
  let usage = noUsage;
  try {
    const body = parsedObject(exchange.reply.body);
    usage = reader.usageOf(body);
    return reader.stepOf(body);
  } catch (error) {
    return failed(notUnderstood(error), usage);
  }
}

/** The steps of a vendor that answers a single request: it is sent, and its latest reply read. */
export function singleRequestStep(
  requestOf: (question: VendorQuestion) => VendorRequest,
  reader: ReplyReader,
): Adapter["step"] {
  return (question, exchanges) => {
    const last = exchanges.at(-1);
    if (last === undefined) return { kind: "send", request: requestOf(question) };
    return readReply(last, reader);
  };
}

/** What a page shows of an assistant's answer, whichever vendor looked at it. */
export interface Capture {
  /** As Markdown. */
  readonly text: string;
  /** The pages that the answer shows as its sources, in the page's order. */
  readonly cited: readonly CitedPage[];
  /** Pages that were found for it, and are not shown with it. */
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
  /** Null: pages do not name it, but some vendors do. */
  readonly model: string | null;
  readonly warnings: readonly AnswerWarning[];
}

/**
 * The answer that a page shows; null: it shows none, which is absent.
 * @throws UnknownShape for a text or citations that the record does not take.
 */
export function capturedAnswer(capture: Capture | null, usage: Usage): Step {
  if (capture === null) {
    const none = { text: "", citations: [], searchQueries: [], model: null, warnings: [] };
    return answered({ ...none, outcome: "absent", usage });
  }
  const { text, cited, retrieved, searchQueries, model, warnings } = capture;
  return answered({
    outcome: "answered",
    text,
    citations: citationsOf(cited.filter(isPage), retrieved.filter(isPage)),
    searchQueries,
    model,
    usage,
    warnings,
  });
}

/** Pages also link into themselves and to searches, without a host; those are no sources. */
function isPage({ url }: RetrievedPage): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
