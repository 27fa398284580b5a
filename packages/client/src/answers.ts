import type {
  DeleteAnswersRequest,
  DeleteAnswersResponse,
  ImportAnswersResponse,
  RecordedAnswerResponse,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import { type AnswerLines, type PartLine, partsOf } from "./line-parts.ts";
import type { CallOptions } from "./options.ts";
import { itemsUnlessAborted } from "./wait.ts";

/** What became of imported lines. */
export type ImportResult = Omit<ImportAnswersResponse, "importId">;

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

/** Options of an import; `timeoutMs` is that of each call, `signal` that of the whole import. */
export interface ImportOptions extends CallOptions {
  /**
   * What the list of imports calls it, such as a file's name: at most 255 characters, none of them
   * invisible. Omitted: `http`.
   */
  readonly source?: string;
  /** Called after each part, with all so far. */
  readonly onProgress?: (result: ImportResult) => void;
  /**
   * Called after each part with the rejected lines that the service names: at most 100 of a part.
   * It is awaited before the next part is sent.
   */
  readonly onRejected?: (lines: readonly RejectedLine[]) => Promise<void> | void;
}

/** As many rejected lines as the service names in one reply. */
const rejectedLinesMax = 100;

/** The recorded answers: additions to the interface. */
export class Answers {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Counts answers (`dryRun`) or removes them for good: those with some ids, or those that pass
   * filters. Repeating it removes what is left. The key needs the scope `manage`.
   */
  async delete(
    request: DeleteAnswersRequest,
    options?: CallOptions,
  ): Promise<DeleteAnswersResponse> {
    const body = JSON.stringify(request);
    const call = { method: "POST", path: "/v1/answers/delete", body } as const;
    return (await this.#call(call, options)) as DeleteAnswersResponse;
  }

  /**
   * One answer as it was recorded, whether it counts or not, with its mentions and citations.
   * @throws NotFoundError when there is none with this id.
   */
  async get(id: string, options?: CallOptions): Promise<RecordedAnswerResponse> {
    const path = `/v1/answers/${encodeURIComponent(id)}` as const;
    return (await this.#call({ method: "GET", path }, options)) as RecordedAnswerResponse;
  }

  /**
   * Records answers: NDJSON as text, bytes or a stream of either, plain; or objects. Lines are sent
   * in parts of at most 2,000, one after another, each with the client's retries, which are safe:
   * what was recorded counts as a duplicate. The key needs the scope `import`.
   * @returns the sums, and the faults of the first 100 rejected lines.
   * @throws what a part failed with; the parts before it are recorded.
   */
  async import(
    lines: AnswerLines,
    { source, onProgress, onRejected, ...options }: ImportOptions = {},
  ): Promise<ImportResult> {
    let sums: ImportResult = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, errors: [] };
    const { signal } = options;
    const parts =
      signal === undefined ? partsOf(lines) : itemsUnlessAborted(partsOf(lines), signal);
    const path =
      source === undefined
        ? "/v1/answers"
        : (`/v1/answers?source=${encodeURIComponent(source)}` as const);
    for await (const { body, lines: sent, linesBefore } of parts) {
      const call = {
        method: "POST",
        path,
        body,
        contentType: "application/x-ndjson",
      } as const;
      const part = (await this.#call(call, options)) as ImportAnswersResponse;
      sums = added(sums, part, linesBefore);
      onProgress?.(sums);
      if (part.errors.length > 0) await onRejected?.(rejectedLines(part, sent, linesBefore));
    }
    return sums;
  }
}

function rejectedLines(
  { errors }: ImportAnswersResponse,
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

function added(sums: ImportResult, part: ImportAnswersResponse, linesBefore: number): ImportResult {
  const named = new Set(sums.errors.map(({ line }) => line));
  const errors = [...sums.errors];
  for (const { line, path, message } of part.errors) {
    named.add(line + linesBefore);
    if (named.size > rejectedLinesMax) break;
    errors.push({ line: line + linesBefore, path, message });
  }
  return {
    accepted: sums.accepted + part.accepted,
    duplicates: sums.duplicates + part.duplicates,
    rejected: sums.rejected + part.rejected,
    warnings: sums.warnings + part.warnings,
    errors,
  };
}
