import type { WorkspaceResponse } from "@sightline/contract";
import { Analytics } from "./analytics.ts";
import { Answers } from "./answers.ts";
import { type Caller, createCaller } from "./calls.ts";
import { Insights } from "./insights.ts";
import { type CallOptions, readOptions, type SightlineOptions } from "./options.ts";

/**
 * A client of a Sightline service, with one key or one session. Create one and keep it: its calls
 * share a session.
 */
export class Sightline {
  /** The four time series, and the sources. */
  readonly analytics: Analytics;
  /** What these numbers are made of. Additions to the interface. */
  readonly insights: Insights;
  /** What they are counted from. Additions to the interface. */
  readonly answers: Answers;
  readonly #call: Caller;

  /**
   * Sends nothing yet.
   * @throws InvalidOptionError
   */
  constructor(options: SightlineOptions) {
    this.#call = createCaller(readOptions(options));
    this.analytics = new Analytics(this.#call);
    this.insights = new Insights(this.#call);
    this.answers = new Answers(this.#call);
  }

  /**
   * What is tracked and what you can filter by: brand, competitors, topics, prompts, providers and
   * regions. An addition to the interface.
   */
  async workspace(options?: CallOptions): Promise<WorkspaceResponse> {
    const call = { method: "GET", path: "/v1/workspace" } as const;
    return (await this.#call(call, options)) as WorkspaceResponse;
  }
}
