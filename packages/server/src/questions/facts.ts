import type { SeriesMark } from "@sightline/contract";
import type { QuotePlace } from "../answers/readings/reading-quotes.ts";
import type { FactsCoverage, SourcesFacts } from "../facts/engine.ts";
import type { EvidenceQuestion } from "../facts/plan/places-plan.ts";
import type {
  ChangesQuestion,
  CountedSeriesQuestion,
  PlanQuestion,
  SourcesQuestion,
  SummaryQuestion,
  TimeSeriesQuestion,
} from "../facts/plan/question.ts";
import type { SeriesFacts } from "../facts/plan/series.ts";
import type {
  LifeQuestion,
  PresenceQuestion,
  QueriesQuestion,
  SourceGapsQuestion,
} from "../facts/plan/source-questions.ts";
import type { LifeFacts } from "./citation-life.ts";
import type { ChangesFacts } from "./contributions.ts";
import type { AnswerFacts, EvidenceFacts } from "./evidence/evidence-facts.ts";
import type { ClassifiedSources } from "./gaps.ts";
import type { LabelSample, LabelSampleQuestion } from "./label-sample.ts";
import type { PlanFacts } from "./plan.ts";
import type { PresenceFacts } from "./presence.ts";
import type { Measured } from "./reading.ts";
import type { QueriesFacts } from "./search-queries.ts";
import type { SummaryFacts } from "./summary/summary.ts";

/** A time series with counts, and in which weeks models or prompts changed; null: not asked. */
export interface CountedSeries extends SeriesFacts {
  readonly marks: readonly SeriesMark[] | null;
}

/**
 * Questions to the derived facts. The account comes first. A question whose signal aborts leaves
 * the queue or is interrupted, and throws the signal's reason.
 */
export interface Facts {
  /**
   * @throws ServiceError facts_not_ready before the account's first build, overloaded, or
   * invalid_request when the reply would have too many points.
   */
  readonly timeSeries: (
    accountId: string,
    question: TimeSeriesQuestion,
    signal: AbortSignal,
  ) => Promise<SeriesFacts>;
  /** The same with how prompts vary. @throws as timeSeries. */
  readonly countedSeries: (
    accountId: string,
    question: CountedSeriesQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<CountedSeries>>;
  /**
   * @throws ServiceError facts_not_ready before the account's first build, overloaded, or
   * invalid_request when the reply would have too many groups.
   */
  readonly summary: (
    accountId: string,
    question: SummaryQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<SummaryFacts>>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly changes: (
    accountId: string,
    question: ChangesQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<ChangesFacts>>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly plan: (
    accountId: string,
    question: PlanQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<PlanFacts>>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly citationLife: (
    accountId: string,
    question: LifeQuestion,
    signal: AbortSignal,
  ) => Promise<LifeFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly searchQueries: (
    accountId: string,
    question: QueriesQuestion,
    signal: AbortSignal,
  ) => Promise<QueriesFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly presence: (
    accountId: string,
    question: PresenceQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<PresenceFacts>>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly sourceGaps: (
    accountId: string,
    question: SourceGapsQuestion,
    signal: AbortSignal,
  ) => Promise<Measured<ClassifiedSources>>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly sources: (
    accountId: string,
    question: SourcesQuestion,
    signal: AbortSignal,
  ) => Promise<SourcesFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly evidence: (
    accountId: string,
    question: EvidenceQuestion,
    signal: AbortSignal,
  ) => Promise<EvidenceFacts>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly labelSample: (
    accountId: string,
    question: LabelSampleQuestion,
    signal: AbortSignal,
  ) => Promise<LabelSample>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly answer: (
    accountId: string,
    answerId: string,
    signal: AbortSignal,
  ) => Promise<AnswerFacts>;
  /**
   * The words at places of answers, in this order; null: the text is gone.
   * @throws ServiceError facts_not_ready when the record cannot be read.
   */
  readonly quotes: (
    accountId: string,
    places: readonly QuotePlace[],
    signal: AbortSignal,
  ) => Promise<readonly (string | null)[]>;
  /** @throws ServiceError facts_not_ready before the account's first build, or overloaded. */
  readonly coverage: (accountId: string, signal: AbortSignal) => Promise<FactsCoverage>;
  /**
   * Another text whenever the account's facts may give another reply, and the same on every node;
   * null: there are no facts yet.
   */
  readonly version: (accountId: string, signal: AbortSignal) => Promise<string | null>;
}
