import type {
  DeletedLabelsResponse,
  ImportLabelsResponse,
  LabelMetric,
  LabelSampleResponse,
  LabelsResponse,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import { importLines, type LineImportOptions } from "./import-lines.ts";
import type { AnswerLines } from "./line-parts.ts";
import type { CallOptions } from "./options.ts";
import { Pages } from "./pages.ts";
import { queryOf } from "./query-of.ts";
import { bodyOf, type LabelSampleQuestion } from "./questions.ts";

/** Which labels are meant. */
export interface LabelSelection {
  readonly answerId?: string | undefined;
  readonly labeller?: string | undefined;
  readonly entityId?: string | undefined;
  readonly metric?: LabelMetric | undefined;
}

/** What people say of answers: additions to the interface. */
export class Labels {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * Stores labels: NDJSON as text, bytes or a stream of either; or objects. Sent as answers are, in
   * parts with retries, which are safe. The key needs the scope `import`.
   * @returns the sums, and the faults of the first 100 rejected lines.
   */
  async import(
    lines: AnswerLines,
    options: LineImportOptions<ImportLabelsResponse> = {},
  ): Promise<ImportLabelsResponse> {
    const none = { accepted: 0, duplicates: 0, rejected: 0, errors: [] };
    return importLines(this.#call, lines, { path: "/v1/labels", none, ...options });
  }

  /**
   * Draws answers at random, by prompt, for somebody who is going to label them. The same question
   * draws the same answers of the same record.
   */
  async sample(question: LabelSampleQuestion, options?: CallOptions): Promise<LabelSampleResponse> {
    const body = bodyOf(question);
    return (await this.#call(
      { method: "POST", path: "/v1/labels/sample", body },
      options,
    )) as LabelSampleResponse;
  }

  /** Labels by answer, entity, metric and labeller. Awaited: a page; iterated: all of them. */
  list(
    selection: LabelSelection = {},
    options?: CallOptions,
  ): Pages<LabelsResponse, LabelsResponse["labels"][number], string | undefined> {
    const page = async (cursor: string | undefined) => {
      const path = `/v1/labels${queryOf({ ...selection, cursor })}` as const;
      return (await this.#call({ method: "GET", path }, options)) as LabelsResponse;
    };
    const next = ({ nextCursor }: LabelsResponse) => nextCursor;
    return new Pages({ first: undefined, fetch: page, items: ({ labels }) => labels, next });
  }

  /**
   * Removes labels for good: of an answer, of a labeller, or of both; an entity and a metric leave
   * fewer. The key needs `import`.
   */
  async delete(selection: LabelSelection, options?: CallOptions): Promise<DeletedLabelsResponse> {
    const path = `/v1/labels${queryOf({ ...selection })}` as const;
    return (await this.#call({ method: "DELETE", path }, options)) as DeletedLabelsResponse;
  }
}
