import { isUtf8 } from "node:buffer";
import { type FieldError, fieldErrors, instantOf, quoted } from "@sightline/contract";
import { type JsonBounds, scanJson } from "../../platform/scan-json.ts";
import { type Answer, type AnswerCollection, derivedAnswerId } from "../answer.ts";
import { type AnswerLine, answerLineSchema } from "./answer-schema.ts";
import { lineFaults, notAnObject, notJson } from "./line-faults.ts";
import { type PromptIndex, promptOfLine } from "./prompt-index.ts";

/**
 * Limits of a line before it is parsed. 10,000 citations with title and `cited` are 40,000 values;
 * half a million empty objects would take 100 MB. Deeper metadata would overflow recursive code.
 */
export const lineBounds: JsonBounds = { depthMax: 100, namesMax: 1_000, valuesMax: 100_000 };

/** Why a line was not recorded. */
export interface Rejection {
  readonly reason: string;
  readonly errors: readonly FieldError[];
}

/** What a line is validated against. */
export interface LineContext {
  readonly accountId: string;
  readonly prompts: PromptIndex;
  /** The time of day, in milliseconds since 1970. */
  readonly now: () => number;
}

interface Rejected {
  readonly rejection: Rejection;
}

/** A line's answer, or why it was rejected. */
export type LineReading = { readonly answer: Answer } | Rejected;

/** Reads one line of NDJSON. Never throws. */
export function readAnswerLine(line: Buffer, context: LineContext): LineReading {
  const read = parsedLine(line);
  if ("rejection" in read) return read;
  const { value } = read;
  if (isWithoutText(value)) return rejected(textRemoved);
  const parsed = answerLineSchema.safeParse(withCitedTexts(value), { reportInput: true });
  if (!parsed.success) return faulty(fieldErrors(parsed.error).map(withExample));
  const fields = parsed.data;
  const { metadata } = value as { readonly metadata?: unknown };
  const answeredAt = instantOf(fields.answeredAt) ?? Number.NaN; // the schema saw that it is one
  const prompt = promptOfLine(fields, context.prompts);
  const faults = lineFaults(fields, { metadata, answeredAt, now: context.now() });
  if (typeof prompt !== "string") return faulty([prompt, ...faults]);
  if (faults.length > 0) return faulty(faults);
  return { answer: toAnswer(fields, { accountId: context.accountId, prompt, answeredAt }) };
}

const textRemoved =
  "The text of this answer was removed, so there is nothing to read. To carry such answers to " +
  "another service, move the account: sightline export ACCOUNT FILE.";

/** A citation may be a text alone, which is its URL. */
function withCitedTexts(value: unknown): unknown {
  const citations = (value as { readonly citations?: unknown } | null)?.citations;
  if (!Array.isArray(citations) || !citations.some((each) => typeof each === "string"))
    return value;
  const objects = citations.map((each) => (typeof each === "string" ? { url: each } : each));
  return { ...(value as object), citations: objects };
}

/** As an export writes it. */
function isWithoutText(value: unknown): boolean {
  return (value as { readonly textRemoved?: unknown } | null)?.textRemoved === true;
}

/** The JSON value of a line whose bounds, beginning and names are checked. */
export function parsedLine(line: Buffer): { readonly value: unknown } | Rejected {
  if (!isUtf8(line)) return rejected("The line is not UTF-8.");
  const text = line.toString("utf8");
  const { beyond, repeatedName } = scanJson(text, lineBounds);
  if (beyond !== null) return faulty([{ path: "", code: "too_large", message: `${beyond}.` }]);
  const other = notAnObject(text);
  if (other !== null) return rejected(other);
  let value: unknown;
  try {
    value = withoutStack(() => JSON.parse(text));
  } catch (error) {
    return rejected(notJson(error instanceof Error ? error.message : String(error)));
  }
  if (repeatedName === null) return { value };
  return rejected(`Duplicate name ${quoted(repeatedName)} in one object. Keep one of the two.`);
}

/** To collect an error's stack, which nobody reads, takes as long as all else of a bad line. */
function withoutStack<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function rejected(reason: string): Rejected {
  return { rejection: { reason, errors: [] } };
}

function faulty(errors: readonly FieldError[]): Rejected {
  return { rejection: rejectionOf(errors) };
}

/** The rejection of a line with these faults. */
export function rejectionOf(errors: readonly FieldError[]): Rejection {
  const reason = errors.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
  return { reason, errors };
}

/** A text instead of an object is the fault that needs an example. */
function withExample(error: FieldError): FieldError {
  if (error.code !== "wrong_type" || !/^(\/citations\/\d+)?$/.test(error.path)) return error;
  const example =
    error.path === ""
      ? '{"promptId": …, "provider": …, "text": …}'
      : '{"url": "https://…"} or "https://…"';
  return { ...error, message: `${error.message} Write ${example}.` };
}

/** Parts of a stored answer that are not in its line as such. */
interface FoundOfLine {
  readonly accountId: string;
  readonly prompt: string;
  readonly answeredAt: number;
}

function toAnswer(line: AnswerLine, { accountId, prompt, answeredAt }: FoundOfLine): Answer {
  const identity = {
    promptId: prompt,
    provider: line.provider,
    region: line.region ?? null,
    answeredAt,
    sample: line.sample ?? 0,
  };
  return {
    id: line.id ?? derivedAnswerId(accountId, identity),
    ...identity,
    outcome: line.outcome ?? "answered",
    text: line.text ?? "",
    citations: (line.citations ?? []).map(({ url, title, cited, spans }) => ({
      url,
      title: title ?? null,
      cited: cited ?? true,
      ...(spans && spans.length > 0 ? { spans } : {}),
    })),
    model: line.model ?? null,
    surface: line.surface ?? null,
    metadata: line.metadata ?? null,
    ...collectionOf(line),
  };
}

function collectionOf({
  searchQueries,
  cost,
  vendor,
  requestedRegion,
}: AnswerLine): AnswerCollection {
  return {
    searchQueries: searchQueries ?? [],
    cost: cost ? { ...cost, estimated: cost.estimated ?? false } : null,
    vendor: vendor ?? null,
    requestedRegion: requestedRegion ?? null,
  };
}
