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

/** The usage of a question without any report. */
export const noUsage: Usage = {
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  searches: 0,
  cost: null,
  isReported: false,
};

/** Whether a model's reply reports its usage: input and output tokens, or a cost. */
export function isUsageReported({
  inputTokens,
  outputTokens,
  cost,
}: Omit<Usage, "isReported">): boolean {
  return cost !== null || (inputTokens > 0 && outputTokens > 0);
}

/** How a vendor's reply is read. */
export interface ReplyReader {
  readonly rules: readonly FailureRule[];
  /** Lenient, since the reply may not be an answer. */
  readonly usageOf: (body: JsonObject) => Usage;
  /** May throw: the error becomes a failure. */
  readonly stepOf: (body: JsonObject) => Step;
}

/** A final step with a failure. */
export function failed(failure: Failure, usage: Usage): Step {
  return { kind: "failed", failure, usage };
}

/**
 * A final step with an answer.
 * @throws UnknownShape for one without a text, or beyond the bounds of the record.
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

/** The step that follows from the reply to a single request. Never throws. */
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

/** The steps of a vendor that needs a single request: send it, then read its latest reply. */
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

/** An assistant's answer as a page shows it, from any page vendor. */
export interface Capture {
  /** Markdown. */
  readonly text: string;
  /** The sources that the answer shows, in the page's order. */
  readonly cited: readonly CitedPage[];
  /** Pages that were retrieved for it but are not shown. */
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
  /** Null: unknown; pages do not name it, but some vendors do. */
  readonly model: string | null;
  readonly warnings: readonly AnswerWarning[];
}

/**
 * A final step with the answer of a page; null: the page shows none, so it is absent.
 * @throws UnknownShape for a text or citations beyond the bounds of the record.
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

/** Pages also link to themselves and to searches, without a host; those are not sources. */
function isPage({ url }: RetrievedPage): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}
