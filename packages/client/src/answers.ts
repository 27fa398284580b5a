import type {
  DeleteAnswersRequest,
  DeleteAnswersResponse,
  ImportAnswersResponse,
  RecordedAnswerResponse,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import { importLines, type LineImportOptions } from "./import-lines.ts";
import type { AnswerLines } from "./line-parts.ts";
import type { CallOptions } from "./options.ts";

/** What became of imported lines. */
export type ImportResult = Omit<ImportAnswersResponse, "importId">;

/** Options of an import; `timeoutMs` is that of each call, `signal` that of the whole import. */
export interface ImportOptions extends LineImportOptions<ImportResult> {
  /**
   * What the list of imports calls it, such as a file's name: at most 255 characters, none of them
   * invisible. Omitted: `http`.
   */
  readonly source?: string;
}

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
    { source, ...options }: ImportOptions = {},
  ): Promise<ImportResult> {
    const path =
      source === undefined
        ? "/v1/answers"
        : (`/v1/answers?source=${encodeURIComponent(source)}` as const);
    const none = { accepted: 0, duplicates: 0, rejected: 0, warnings: 0, errors: [] };
    return importLines<ImportResult>(this.#call, lines, { path, none, ...options });
  }
}
