import type { Step, Usage } from "../../adapter.ts";
import { type CitedPage, citationsOf, type RetrievedPage, type Span } from "../cited-pages.ts";
import { answered, failed, isUsageTold } from "../collected-answer.ts";
import {
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
  urlAt,
} from "../read-json.ts";
import { giveUp } from "../reply-failure.ts";
import { offsetsIn } from "../text-offsets.ts";
import { blockReasons } from "./errors.ts";

/** What a reply says; its pages have Google's links as their URLs. */
export type ReadReply =
  | { readonly ended: Step }
  | {
      readonly text: string;
      readonly cited: readonly CitedPage[];
      readonly retrieved: readonly RetrievedPage[];
      readonly searchQueries: readonly string[];
      readonly model: string | null;
    };

/** Cited: chunks that a support names. Retrieved: the other chunks. */
export function readGeminiReply(reply: JsonObject): ReadReply {
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
  const chunks = (optionalListAt(grounding, "groundingChunks") ?? []).map(pageOf);
  const supports = optionalListAt(grounding, "groundingSupports") ?? [];
  return {
    text,
    cited: supports.flatMap((support) => citedBy(support, chunks, parts)),
    retrieved: chunks,
    searchQueries: textsAt(grounding, "webSearchQueries"),
    model,
  };
}

interface Part {
  /** Empty: it is thought, or no text. */
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
  return answered({ outcome: "refused", text, citations: [], searchQueries: [], model, usage });
}

function pageOf(chunk: JsonObject): RetrievedPage {
  const web = objectAt(chunk, "web");
  return { url: urlAt(web, "uri"), title: optionalTextAt(web, "title") };
}

/** @throws UnknownShape when it names a chunk that is not there: who is cited would be guessed. */
function citedBy(
  support: JsonObject,
  chunks: readonly RetrievedPage[],
  parts: readonly Part[],
): readonly CitedPage[] {
  const indices = support["groundingChunkIndices"] ?? [];
  if (!Array.isArray(indices)) throw new UnknownShape("a support's chunks are not a list");
  const span = spanOf(objectAt(support, "segment"), parts);
  return indices.map((index: unknown) => {
    const page = typeof index === "number" ? chunks[index] : undefined;
    if (page === undefined) throw new UnknownShape("a support names a chunk that is not there");
    return { ...page, span };
  });
}

/** Offsets are UTF-8 bytes of the part; 0 is left out. Null: they do not enclose its text. */
function spanOf(segment: JsonObject, parts: readonly Part[]): Span | null {
  const [index, from, to] = ["partIndex", "startIndex", "endIndex"].map((field) => {
    const value = segment[field] ?? 0;
    return typeof value === "number" ? value : -1;
  });
  const part = parts[index ?? 0];
  if (part === undefined) return null;
  const [start, end] = [part.offsetOf(from ?? -1), part.offsetOf(to ?? -1)];
  if (start === null || end === null || start >= end) return null;
  const said = optionalTextAt(segment, "text");
  if (said !== null && part.text.slice(start, end) !== said) return null;
  return { start: part.start + start, end: part.start + end };
}

/** The answer, with the pages that Google's links lead to. */
export function geminiAnswer(
  read: Exclude<ReadReply, { ended: Step }>,
  pageUrlOf: (url: string) => string,
  usage: Usage,
): Step {
  const { text, searchQueries, model } = read;
  const cited = read.cited.map((page) => ({ ...page, url: pageUrlOf(page.url) }));
  const retrieved = read.retrieved.map((page) => ({ ...page, url: pageUrlOf(page.url) }));
  const citations = citationsOf(cited, retrieved);
  return answered({ outcome: "answered", text, citations, searchQueries, model, usage });
}

/** Each query that Google was asked is billed; what searches bring is input, thinking output. */
export function usageOf(reply: JsonObject): Usage {
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
  // A prompt that was blocked is read and not answered; Google leaves out what is 0.
  const isBlocked = lenientObjectAt(reply, "promptFeedback")?.["blockReason"] != null;
  return { ...used, isTold: isUsageTold(used) || (isBlocked && used.inputTokens > 0) };
}
