import type { CollectedAnswer, Failure, Step, Usage } from "../adapter.ts";
import {
  type CitedPage,
  citationsOf,
  DamagedSources,
  offsetsIn,
  type RetrievedPage,
  type Span,
} from "./cited-pages.ts";
import { answered, failed, isUsageReported } from "./collected-answer.ts";
import {
  countAt,
  type JsonObject,
  lenientObjectAt,
  listAt,
  optionalListAt,
  optionalObjectAt,
  optionalTextAt,
  textAt,
  UnknownShape,
} from "./read-json.ts";
import { giveUp, reportedFailure } from "./reply-failure.ts";

/** A part of an answer's text with its annotations and its offset in the whole text. */
export interface TextPart {
  readonly text: string;
  readonly start: number;
  readonly annotations: readonly JsonObject[];
}

/** The sources and queries of a reply. */
interface Sources {
  readonly cited: readonly CitedPage[];
  readonly retrieved: readonly RetrievedPage[];
  readonly searchQueries: readonly string[];
}

/** A vendor's variant of the response object of OpenAI's Responses API. */
export interface ResponseDialect {
  /** Known types of `output` items other than messages. */
  readonly items: readonly string[];
  readonly usageOf: (response: JsonObject) => Usage;
  /**
   * How reliable the annotations of a text are. `strict`: the list is always present, and an
   * unknown type may be a new kind of citation. `loose`: the list may be missing, and every
   * annotation with a URL cites.
   */
  readonly annotations: "strict" | "loose";
  readonly sourcesOf: (read: ReadOutput, damaged: DamagedSources) => Sources;
}

/** A response whose messages have been read. */
interface ReadOutput {
  readonly response: JsonObject;
  readonly output: readonly JsonObject[];
  readonly parts: readonly TextPart[];
  /** The annotated pages, in order. */
  readonly annotated: readonly AnnotatedPage[];
}

/**
 * The usage of a response: its tokens, and the searches and cost that the vendor reports.
 * Perplexity names cache tokens as Anthropic does.
 */
export function tokensOfResponse(
  usage: JsonObject | null,
  reported: Pick<Usage, "searches" | "cost">,
): Usage {
  const input = lenientObjectAt(usage, "input_tokens_details");
  const used = {
    inputTokens: countAt(usage, "input_tokens"),
    cachedInputTokens: countAt(input, "cached_tokens") + countAt(input, "cache_read_input_tokens"),
    cacheWriteTokens:
      countAt(input, "cache_write_tokens") + countAt(input, "cache_creation_input_tokens"),
    outputTokens: countAt(usage, "output_tokens"),
    ...reported,
  };
  return { ...used, isReported: isUsageReported(used) };
}

/** The step that follows from a response object. @throws UnknownShape when it is not understood. */
export function readResponse(response: JsonObject, dialect: ResponseDialect): Step {
  const usage = dialect.usageOf(response);
  const failure = failureOf(response);
  if (failure !== null) return failed(failure, usage);
  const output = listAt(response, "output");
  for (const item of output) {
    const type = textAt(item, "type");
    if (type === "message" || dialect.items.includes(type)) continue;
    throw new UnknownShape(`"${type}" is not a known item of the output`);
  }
  const { parts, outcome } = messagesOf(output, dialect);
  const damaged = new DamagedSources();
  const annotated = parts.flatMap((part) => annotatedPages(part, dialect, damaged));
  const read = { response, output, parts, annotated };
  const { cited, retrieved, searchQueries } = dialect.sourcesOf(read, damaged);
  return answered({
    outcome,
    text: textOf(parts),
    citations: citationsOf(cited, retrieved),
    searchQueries,
    model: optionalTextAt(response, "model"),
    usage,
    warnings: damaged.warnings,
  });
}

/** The text of an answer: its parts, with paragraph breaks between messages. */
function textOf(parts: readonly TextPart[]): string {
  return parts.reduce((text, part) => text.padEnd(part.start, "\n") + part.text, "");
}

function failureOf(response: JsonObject): Failure | null {
  if (textAt(response, "object") !== "response") throw new UnknownShape("it is not a response");
  const error = optionalObjectAt(response, "error");
  const status = textAt(response, "status");
  if (status === "completed" && error === null) return null;
  if (status === "incomplete") {
    const details = optionalObjectAt(response, "incomplete_details");
    const reason = details === null ? null : optionalTextAt(details, "reason");
    return giveUp(`the answer is incomplete: ${reason ?? "no reason is given"}`);
  }
  const [code, message] = ["code", "message"].map((field) =>
    error === null ? null : optionalTextAt(error, field),
  );
  const reason = `the response is ${status}: ${[code, message].filter(Boolean).join(" ")}`;
  if (code === "rate_limit_exceeded") return reportedFailure("wait", reason);
  if (code === "server_error") return reportedFailure("retry", reason);
  return giveUp(reason);
}

/** The parts of the final messages; `refused`: one of them is a refusal. */
function messagesOf(
  output: readonly JsonObject[],
  dialect: ResponseDialect,
): {
  readonly parts: readonly TextPart[];
  readonly outcome: CollectedAnswer["outcome"];
} {
  const parts: TextPart[] = [];
  let outcome: CollectedAnswer["outcome"] = "answered";
  for (const message of output) {
    // Commentary announces what the model is about to do; an assistant's page does not show it.
    if (message["type"] !== "message" || message["phase"] === "commentary") continue;
    if (textAt(message, "status") !== "completed") throw new UnknownShape("a message is cut off");
    const separator = parts.length === 0 ? 0 : 2;
    for (const [index, content] of listAt(message, "content").entries()) {
      const last = parts.at(-1);
      const end = last === undefined ? 0 : last.start + last.text.length;
      const isRefusal = textAt(content, "type") === "refusal";
      if (isRefusal) outcome = "refused";
      const read = isRefusal ? refusalOf(content) : contentOf(content, dialect);
      parts.push({ ...read, start: end + (index === 0 ? separator : 0) });
    }
  }
  return { parts, outcome };
}

function refusalOf(content: JsonObject): Omit<TextPart, "start"> {
  return { text: textAt(content, "refusal"), annotations: [] };
}

function contentOf(content: JsonObject, dialect: ResponseDialect): Omit<TextPart, "start"> {
  const type = textAt(content, "type");
  if (type !== "output_text") throw new UnknownShape(`"${type}" is not a known content`);
  const isStrict = dialect.annotations === "strict";
  const annotations = isStrict
    ? listAt(content, "annotations")
    : (optionalListAt(content, "annotations") ?? []);
  return { text: textAt(content, "text"), annotations };
}

/** A page of an annotation. */
interface AnnotatedPage extends CitedPage {
  /** Whether the annotation has a range, even one outside the text. */
  readonly isPlaced: boolean;
}

/** The pages of a part's annotations. Annotations of files have no URL. */
function annotatedPages(
  part: TextPart,
  dialect: ResponseDialect,
  damaged: DamagedSources,
): readonly AnnotatedPage[] {
  const spanOf = spansIn(part);
  return part.annotations.flatMap((annotation): readonly AnnotatedPage[] => {
    const type = annotation["type"];
    if (type !== "url_citation") {
      if (typeof type === "string" && !Object.hasOwn(annotation, "url")) return [];
      if (dialect.annotations === "strict") {
        throw new UnknownShape(`${JSON.stringify(type)} is not a known annotation`);
      }
    }
    const page = damaged.pageAt(annotation, "url");
    if (page === null) return [];
    const [start, end] = [annotation["start_index"], annotation["end_index"]];
    const isPlaced = typeof start === "number" && typeof end === "number" && start < end;
    const span = isPlaced ? spanOf(page.url, { start, end }) : null;
    return [{ ...page, span, isPlaced }];
  });
}

/** The longest link, URL and title; a URL is searched within this distance. */
const linkCharactersMax = 2_000;

/**
 * Finds the range of an annotation. No vendor documents its unit, which matters only after an
 * emoji: the unit in which the URL is found there, else code points.
 */
function spansIn({ text, start }: TextPart): (url: string, given: Span) => Span | null {
  const pointsOf = offsetsIn(text, "code points");
  const unitsOf = offsetsIn(text, "UTF-16 code units");
  return (url, given) => {
    const spans = [pointsOf, unitsOf].flatMap((offsetOf): readonly Span[] => {
      const [from, to] = [offsetOf(given.start), offsetOf(given.end)];
      return from === null || to === null ? [] : [{ start: from, end: to }];
    });
    const [first, second] = spans;
    const holding = spans.find((span) => {
      const end = Math.min(span.end, span.start + url.length + linkCharactersMax);
      return text.slice(span.start, end).includes(url);
    });
    const isOne = second === undefined || first?.start === second.start;
    const found = isOne ? first : (holding ?? first);
    return found === undefined ? null : { start: start + found.start, end: start + found.end };
  };
}
