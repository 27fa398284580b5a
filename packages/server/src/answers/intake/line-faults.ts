import { type FieldError, jsonPointer, quoted } from "@sightline/contract";
import type { TextSpan } from "../answer.ts";
import { type AnswerLine, spansMax } from "./answer-schema.ts";

/** Clocks differ, and a date may mean the end of the day; anything later is a mistake. */
export const aheadMsMax = 24 * 60 * 60 * 1_000;

/** What a line is validated against in addition to its fields. */
interface LineFacts {
  /** As parsed from JSON: the schema's copy lacks what cannot be stored. */
  readonly metadata: unknown;
  /** Milliseconds since 1970, as `now` is. */
  readonly answeredAt: number;
  readonly now: number;
}

/** The faults of a line whose fields are individually valid. */
export function lineFaults(line: AnswerLine, facts: LineFacts): FieldError[] {
  const faults = [
    textFault(line),
    spansFault(line),
    instantFault(line, facts),
    metadataFault(facts.metadata, ["metadata"]),
  ];
  return faults.filter((fault) => fault !== null);
}

function textFault({ outcome, text }: AnswerLine): FieldError | null {
  if ((outcome ?? "answered") !== "answered") return null;
  if (text === undefined || text === null) {
    const message = "is required, unless the outcome is absent, failed or refused.";
    return { path: "/text", code: "missing", message };
  }
  if (/\p{L}/u.test(text)) return null;
  const message =
    `must contain a letter, got ${quoted(text)}. ` +
    'If there was no answer, set "outcome": "absent".';
  return { path: "/text", code: "wrong_format", message };
}

/** An answer with the places that its citations name. */
interface TextWithSpans {
  readonly text?: string | null | undefined;
  readonly citations?:
    | readonly { readonly spans?: readonly TextSpan[] | null | undefined }[]
    | null
    | undefined;
}

/** The first fault of the places that citations name in the text. */
export function spansFault({ text, citations }: TextWithSpans): FieldError | null {
  const length = text?.length ?? 0;
  let spansBefore = 0;
  for (const [index, { spans }] of (citations ?? []).entries()) {
    spansBefore += spans?.length ?? 0;
    if (spansBefore > spansMax) {
      const message = `must have at most ${spansMax} spans in all, got more.`;
      return { path: "/citations", code: "too_large", message };
    }
    let free = 0;
    for (const [place, span] of (spans ?? []).entries()) {
      const fault = spanFault(span, { free, length });
      if (fault !== null) return { path: `/citations/${index}/spans/${place}`, ...fault };
      [, free] = span;
    }
  }
  return null;
}

/** @param within where the span before ends, and the text. */
function spanFault(
  [start, end]: TextSpan,
  { free, length }: { readonly free: number; readonly length: number },
): Pick<FieldError, "code" | "message"> | null {
  const got = `got [${start}, ${end}]`;
  if (start >= end) return { code: "wrong_order", message: `must begin before it ends, ${got}.` };
  if (end > length) {
    const message = `must end within text, which has ${length} UTF-16 units, ${got}.`;
    return { code: "too_large", message };
  }
  if (start >= free) return null;
  const message = `must begin where the span before it ends, at ${free}, or later, ${got}.`;
  return { code: "wrong_order", message };
}

function instantFault(line: AnswerLine, { answeredAt, now }: LineFacts): FieldError | null {
  if (answeredAt <= now + aheadMsMax) return null;
  const message =
    `must be at most one day ahead of this machine's clock, got ${quoted(line.answeredAt)}; ` +
    `the clock says ${new Date(now).toISOString()}.`;
  return { path: "/answeredAt", code: "too_large", message };
}

/**
 * The first part of a line's metadata that the record could not store as sent: a name that
 * JavaScript treats as an object's prototype, or a number that a double cannot represent exactly.
 * Such a line would be stored incompletely, and be a duplicate of a different line. Null when all
 * of it can be stored. The metadata must be within the bounds of a line.
 */
function metadataFault(metadata: unknown, path: readonly string[]): FieldError | null {
  if (typeof metadata === "number") return numberFault(metadata, path);
  if (typeof metadata !== "object" || metadata === null) return null;
  for (const [name, value] of Object.entries(metadata)) {
    if (name === "__proto__") return nameFault(path);
    const fault = metadataFault(value, [...path, name]);
    if (fault !== null) return fault;
  }
  return null;
}

function nameFault(path: readonly string[]): FieldError {
  const message = 'The name "__proto__" cannot be kept. Rename it.';
  return { path: jsonPointer(path), code: "not_allowed", message };
}

/** An integer beyond 2^53 may differ from the one that was sent. */
function numberFault(value: number, path: readonly string[]): FieldError | null {
  if (Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))) {
    return null;
  }
  const message =
    `An integer must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}. ` +
    "Write a larger number as text.";
  return { path: jsonPointer(path), code: "too_large", message };
}

/**
 * Why a line that does not begin with an object is rejected, with advice: files come as CSV, as one
 * array, and pretty-printed. Null when it begins with an object.
 */
export function notAnObject(line: string): string | null {
  const [first = ""] = line.trimStart();
  if (first === "{") return null;
  const begins = `The line is not a JSON object: it begins with ${JSON.stringify(first)}.`;
  if (first === "[") {
    return `${begins} Write each answer on its own line; \`jq -c '.[]'\` converts an array.`;
  }
  if (/[\]}"]/.test(first)) return `${begins} ${onOneLine}`;
  if (line.includes(",")) return `${begins} ${asCsv}`;
  return `${begins} Import reads NDJSON: one JSON object on each line.`;
}

/** Why a line that begins with an object is rejected. */
export function notJson(fault: string): string {
  return `The line is not JSON: ${fault}. ${onOneLine}`;
}

const asCsv =
  "The line looks like CSV, which has the format csv in an import and the type text/csv over HTTP.";
const onOneLine = "Write each answer on one line; `jq -c .` converts pretty-printed JSON.";
