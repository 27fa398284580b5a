import type { MetricName, SourceAnalysisResponse, TimeSeriesResponse } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { bodyOf, type SourcesQuestion, type TimeSeriesQuestion } from "./questions.ts";
import { SourcePages } from "./source-pages.ts";

/** The five analytics operations. Replies are returned unchanged. */
export class Analytics {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /** The share of answers that mention each; null when there is no answer. */
  mentions(question: TimeSeriesQuestion, options?: CallOptions): Promise<TimeSeriesResponse> {
    return this.#series("mentions", question, options);
  }

  /** The share of answers that mention or cite each; null when there is no answer. */
  visibility(question: TimeSeriesQuestion, options?: CallOptions): Promise<TimeSeriesResponse> {
    return this.#series("overall-visibility", question, options);
  }

  /** The share of answers that cite each; null when there is no answer. */
  citations(question: TimeSeriesQuestion, options?: CallOptions): Promise<TimeSeriesResponse> {
    return this.#series("citations", question, options);
  }

  /** The mean place of each in the order of first mention, from 1; null where none mentions it. */
  rank(question: TimeSeriesQuestion, options?: CallOptions): Promise<TimeSeriesResponse> {
    return this.#series("rank", question, options);
  }

  /**
   * The most cited domains or URLs: `await` it for one page, or iterate over it with `for await`
   * for all of them. Options apply to each page.
   */
  sources(question: SourcesQuestion, options?: CallOptions): SourcePages {
    const { limit = 100, offset: first = 0, ...rest } = question;
    const path = "/v1/analytics/sources";
    return new SourcePages(async (offset) => {
      const body = bodyOf({ ...rest, limit, offset });
      const call = { method: "POST", path, body } as const;
      return (await this.#call(call, options)) as SourceAnalysisResponse;
    }, first);
  }

  async #series(
    metric: MetricName,
    question: TimeSeriesQuestion,
    options: CallOptions | undefined,
  ): Promise<TimeSeriesResponse> {
    const path = `/v1/analytics/brands/${metric}` as const;
    const call = { method: "POST", path, body: bodyOf(question) } as const;
    return (await this.#call(call, options)) as TimeSeriesResponse;
  }
}
