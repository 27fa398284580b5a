import type { InsightsSeriesResponse } from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import { bodyOf, type InsightsSeriesQuestion } from "./questions.ts";

/** What the numbers are made of: additions to the interface. */
export class Insights {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * A metric's time series; each point with its numerator and denominator, and whether its bucket
   * is empty.
   */
  async series(
    question: InsightsSeriesQuestion,
    options?: CallOptions,
  ): Promise<InsightsSeriesResponse> {
    const call = { method: "POST", path: "/v1/insights/series", body: bodyOf(question) } as const;
    return (await this.#call(call, options)) as InsightsSeriesResponse;
  }
}
