import type { ImportAnswersResponse, OperationAddress } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import { type AnswerLines, type PartLine, partsOf } from "./line-parts.ts";
import type { CallOptions } from "./options.ts";
import { itemsUnlessAborted } from "./wait.ts";

/** A line that was not recorded. */
export interface RejectedLine {
  /** Its number, from 1. */
  readonly line: number;
  /** The line as it was sent; what is not UTF-8 in it as U+FFFD. */
  readonly input: string;
  /** The bytes of a line that is not UTF-8; omitted of any other. */
  readonly bytes?: Uint8Array;
  /** Each with a JSON Pointer into the line; the empty text is the line itself. */
  readonly errors: readonly { readonly path: string; readonly message: string }[];
}

/** What became of lines: counts, and the faults of the first rejected ones. */
interface LineCounts extends Pick<ImportAnswersResponse, "errors"> {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly warnings?: number;
}

/** Options of an import of lines; `signal` is that of the whole import. */
export interface LineImportOptions<Result> extends CallOptions {
  /** Called after each part, with all so far. */
  readonly onProgress?: (result: Result) => void;
  /**
   * Called after each part with the rejected lines that the service names: at most 100 of a part.
   * It is awaited before the next part is sent.
   */
  readonly onRejected?: (lines: readonly RejectedLine[]) => Promise<void> | void;
}

/** As many rejected lines as the service names in one reply. */
const rejectedLinesMax = 100;

/**
 * Sends lines in parts, one after another. @returns the sums, and the faults of the first 100
 * rejected lines. @throws what a part failed with; the parts before it are stored.
 */
export async function importLines<Result extends LineCounts>(
  call: Caller,
  lines: AnswerLines,
  {
    path,
    none,
    onProgress,
    onRejected,
    ...options
  }: LineImportOptions<Result> & {
    readonly path: Extract<OperationAddress, { readonly method: "POST" }>["path"];
    /** The sums of no lines. */
    readonly none: Result;
  },
): Promise<Result> {
  let sums = none;
  const { signal } = options;
  const parts = signal === undefined ? partsOf(lines) : itemsUnlessAborted(partsOf(lines), signal);
  for await (const { body, lines: sent, linesBefore } of parts) {
    const contentType = "application/x-ndjson";
    const part = (await call({ method: "POST", path, body, contentType }, options)) as Result;
    sums = added(sums, part, linesBefore);
    onProgress?.(sums);
    if (part.errors.length > 0) await onRejected?.(rejectedLines(part, sent, linesBefore));
  }
  return sums;
}

function rejectedLines(
  { errors }: LineCounts,
  sent: readonly PartLine[],
  linesBefore: number,
): readonly RejectedLine[] {
  const byLine = new Map<number, { path: string; message: string }[]>();
  for (const { line, path, message } of errors) {
    const faults = byLine.get(line) ?? [];
    faults.push({ path, message });
    byLine.set(line, faults);
  }
  return [...byLine].map(([line, faults]) => {
    const input = sent[line - 1] ?? "";
    const common = { line: line + linesBefore, errors: faults };
    if (typeof input === "string") return { ...common, input };
    return { ...common, input: new TextDecoder().decode(input), bytes: input };
  });
}

function added<Result extends LineCounts>(sums: Result, part: Result, linesBefore: number): Result {
  const named = new Set(sums.errors.map(({ line }) => line));
  const errors = [...sums.errors];
  for (const { line, path, message } of part.errors) {
    named.add(line + linesBefore);
    if (named.size > rejectedLinesMax) break;
    errors.push({ line: line + linesBefore, path, message });
  }
  const counts = Object.entries(sums).flatMap(([name, before]) => {
    const more = part[name as keyof Result];
    return typeof before === "number" && typeof more === "number" ? [[name, before + more]] : [];
  });
  return { ...sums, ...Object.fromEntries(counts), errors };
}
