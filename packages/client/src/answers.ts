import type { ImportAnswersResponse } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import { type AnswerLines, partsOf } from "./line-parts.ts";
import type { CallOptions } from "./options.ts";

/** What became of imported lines. */
export type ImportResult = Omit<ImportAnswersResponse, "importId">;

/** Options of an import; `timeoutMs` is that of each call. */
export interface ImportOptions extends CallOptions {
  /** Called after each part, with all so far. */
  readonly onProgress?: (result: ImportResult) => void;
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
   * Records answers: NDJSON as text, bytes or a stream of either, plain; or objects. Lines are sent
   * in parts of at most 2,000, one after another, each with the client's retries, which are safe:
   * what was recorded counts as a duplicate. The key needs the scope `import`.
   * @returns the sums, and the faults of the first 100 rejected lines.
   * @throws what a part failed with; the parts before it are recorded.
   */
  async import(
    lines: AnswerLines,
    { onProgress, ...options }: ImportOptions = {},
  ): Promise<ImportResult> {
    let sums: ImportResult = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, errors: [] };
    for await (const { text, linesBefore } of partsOf(lines)) {
      const call = {
        method: "POST",
        path: "/v1/answers",
        body: text,
        contentType: "application/x-ndjson",
      } as const;
      const part = (await this.#call(call, options)) as ImportAnswersResponse;
      sums = added(sums, part, linesBefore);
      onProgress?.(sums);
    }
    return sums;
  }
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
