import type { Adapter, AskedQuestion, Exchange, Step, Usage } from "../../adapter.ts";
import { asksOf } from "../asks-of.ts";
import { citationsOf } from "../cited-pages.ts";
import { answered, failed, noUsage } from "../collected-answer.ts";
import {
  isObject,
  type JsonObject,
  listAt,
  optionalTextAt,
  parsedObject,
  textAt,
  UnknownShape,
} from "../read-json.ts";
import { giveUp, notUnderstood, replyFailure } from "../reply-failure.ts";
import { anthropicErrors } from "./errors.ts";
import { readContent, searchFailure, usageOf } from "./parse.ts";
import { anthropicAuthorized, anthropicHost, anthropicRequest } from "./request.ts";

/** How often a paused turn goes on: each time is paid for, with all input again. */
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
    const usage = turn.map(usageOf).reduce(sumOf, { ...noUsage, isTold: turn.length > 0 });
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

/** The replies of the latest turn: the last one, and the paused ones right before it. */
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

function turnStep(question: AskedQuestion, turn: readonly JsonObject[], usage: Usage): Step {
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
    isTold: a.isTold && b.isTold,
  };
}
