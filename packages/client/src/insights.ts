import type {
  CitationLifeResponse,
  ClaimsRequest,
  ClaimsResponse,
  InsightsChangesResponse,
  InsightsPlanResponse,
  InsightsPresenceResponse,
  InsightsSeriesResponse,
  InsightsSourcesResponse,
  InsightsSummaryResponse,
  SearchQueriesResponse,
  UntrackedNamesResponse,
} from "@sightline/contract";
import type { Caller } from "./calls.ts";
import type { CallOptions } from "./options.ts";
import {
  bodyOf,
  type CitationLifeQuestion,
  type InsightsChangesQuestion,
  type InsightsPlanQuestion,
  type InsightsPresenceQuestion,
  type InsightsSeriesQuestion,
  type InsightsSourcesQuestion,
  type InsightsSummaryQuestion,
  type SearchQueriesQuestion,
  type UntrackedNamesQuestion,
} from "./questions.ts";

/** What the numbers are made of: additions to the interface. */
export class Insights {
  readonly #call: Caller;

  constructor(call: Caller) {
    this.#call = call;
  }

  /**
   * A metric's time series; each point with its numerator and denominator, its 95 % interval, and
   * whether its bucket is empty.
   */
  async series(
    question: InsightsSeriesQuestion,
    options?: CallOptions,
  ): Promise<InsightsSeriesResponse> {
    return (await this.#post("series", bodyOf(question), options)) as InsightsSeriesResponse;
  }

  /** Every value of each entity over the whole range, with its interval; with what changed. */
  async summary(
    question: InsightsSummaryQuestion,
    options?: CallOptions,
  ): Promise<InsightsSummaryResponse> {
    return (await this.#post("summary", bodyOf(question), options)) as InsightsSummaryResponse;
  }

  /** A page of the most cited sources, with whose they are and who is visible there. */
  async sources(
    question: InsightsSourcesQuestion,
    options?: CallOptions,
  ): Promise<InsightsSourcesResponse> {
    const body = bodyOf({ limit: 100, offset: 0, ...question });
    return (await this.#post("sources", body, options)) as InsightsSourcesResponse;
  }

  /**
   * What the change of one value consists of: its parts, and what each prompt, topic, provider,
   * region or cited domain contributes. Both add up to the change.
   */
  async changes(
    question: InsightsChangesQuestion,
    options?: CallOptions,
  ): Promise<InsightsChangesResponse> {
    const body = bodyOf({ limit: 100, ...question });
    return (await this.#post("changes", body, options)) as InsightsChangesResponse;
  }

  /** How many prompts and answers show a change, and the least change that today's prompts show. */
  async plan(question: InsightsPlanQuestion, options?: CallOptions): Promise<InsightsPlanResponse> {
    return (await this.#post("plan", bodyOf(question), options)) as InsightsPlanResponse;
  }

  /** In how many answers an entity is mentioned and cited, one of these alone, or neither. */
  async presence(
    question: InsightsPresenceQuestion,
    options?: CallOptions,
  ): Promise<InsightsPresenceResponse> {
    return (await this.#post("presence", bodyOf(question), options)) as InsightsPresenceResponse;
  }

  /** How long pages stay cited, by class, provider, domain or page. */
  async citationLife(
    question: CitationLifeQuestion,
    options?: CallOptions,
  ): Promise<CitationLifeResponse> {
    return (await this.#post("citation-life", bodyOf(question), options)) as CitationLifeResponse;
  }

  /** What assistants searched the web for before they answered: a page of distinct queries. */
  async queries(
    question: SearchQueriesQuestion,
    options?: CallOptions,
  ): Promise<SearchQueriesResponse> {
    return (await this.#post("queries", bodyOf(question), options)) as SearchQueriesResponse;
  }

  /** Names that answers have and that nobody tracks, as candidates: a page of them. */
  async names(
    question: UntrackedNamesQuestion,
    options?: CallOptions,
  ): Promise<UntrackedNamesResponse> {
    return (await this.#post("names", bodyOf(question), options)) as UntrackedNamesResponse;
  }

  /** What a model read in answers: flags of each entity, and what is said of which aspect. */
  async claims(request: ClaimsRequest, options?: CallOptions): Promise<ClaimsResponse> {
    return (await this.#post("claims", JSON.stringify(request), options)) as ClaimsResponse;
  }

  #post(
    name:
      | "series"
      | "summary"
      | "sources"
      | "changes"
      | "plan"
      | "presence"
      | "citation-life"
      | "queries"
      | "claims"
      | "names",
    body: string,
    options: CallOptions | undefined,
  ): Promise<unknown> {
    return this.#call({ method: "POST", path: `/v1/insights/${name}`, body }, options);
  }
}
