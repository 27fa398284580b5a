import type { AnswerWarning, Step, Usage } from "../../adapter.ts";
import { type CitedPage, citationsOf, type RetrievedPage, type Span } from "../cited-pages.ts";
import { answered, failed, isUsageTold } from "../collected-answer.ts";
import { DamagedSources } from "../damaged-sources.ts";
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
      readonly warnings: readonly AnswerWarning[];
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
  const damaged = new DamagedSources();
  const chunks = (optionalListAt(grounding, "groundingChunks") ?? []).map((chunk) =>
    damaged.pageAt(objectAt(chunk, "web"), "uri"),
  );
  // What an answer cites is told by its supports alone: without them chunks would be retrieved.
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
  const nothing = { citations: [], searchQueries: [], warnings: [] };
  return answered({ outcome: "refused", text, ...nothing, model, usage });
}

/** What supports refer to. */
interface Supported {
  /** Null: it cannot be read. */
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
    if (page === undefined) damaged.note("a support names a chunk that is not there");
    return page == null ? [] : [{ ...page, span }];
  });
}

/**
 * Offsets are UTF-8 bytes of the part; 0 is left out. Where they do not enclose the segment's text,
 * as in replies with thoughts that name no part, its place is that of the text if it is there once.
 * Null: it is not known.
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

/** The answer, with the pages that Google's links lead to. */
export function geminiAnswer(
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
