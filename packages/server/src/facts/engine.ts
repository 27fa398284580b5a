import type { Provider } from "@sightline/contract";
import type { RecordMark } from "../answers/answer-store.ts";
import type { FactRows } from "./columns.ts";
import type { SourceGapsFacts, SourceGapsPlan } from "./plan/gap-plans.ts";
import type {
  AlikePairs,
  AnswerReading,
  DaySums,
  DaySumsPlan,
  DomainHits,
  DomainHitsPlan,
  LanguageCount,
  LanguagesPlan,
  Origin,
  OriginsPlan,
  PairSums,
  PairSumsPlan,
  PromptSums,
  PromptSumsPlan,
  ReadingsPlan,
  StabilityPlan,
} from "./plan/insight-plans.ts";
import type { MeasurementFacts, MeasurementPlan } from "./plan/measurement-plan.ts";
import type {
  NameCounts,
  NamePlace,
  NamePlacesRead,
  NameSpread,
  NamesPageFound,
  NamesPageRead,
  NamesPlan,
  NamesRead,
  NameWord,
} from "./plan/names-plan.ts";
import type {
  DrawableAnswers,
  DrawablePlan,
  DrawnAnswer,
  DrawPlan,
  PlacesFound,
  PlacesPlan,
} from "./plan/places-plan.ts";
import { noPlan, type PlanUsed, type SourcesPlan, type TimeSeriesPlan } from "./plan/plan.ts";
import type { SeriesFacts } from "./plan/series.ts";
import type {
  CitationLives,
  CitedName,
  CitedNamesPlan,
  LifePlan,
  QueriesFound,
  QueriesPlan,
} from "./plan/source-plans.ts";
import type { Snapshot } from "./snapshot.ts";

/** What an account's facts are about: its answers that count, without any filter. */
export interface FactsCoverage {
  /** Those that have answers, in the order of the contract's list. */
  readonly providers: readonly Provider[];
  /** Those that have answers, as two upper-case letters, by code unit. */
  readonly regions: readonly string[];
  /** How many there are, those without a region included. */
  readonly answers: number;
  /** When the first was given, in milliseconds since 1970; null: there is none. */
  readonly firstMs: number | null;
  /** When the last was given. */
  readonly lastMs: number | null;
  readonly used: PlanUsed;
}

/** Of an account without answers. */
export const noCoverage: FactsCoverage = {
  providers: [],
  regions: [],
  answers: 0,
  firstMs: null,
  lastMs: null,
  used: noPlan,
};

/** What the facts say to a page of sources. */
export interface SourcesFacts {
  /** Distinct sources that pass the filters. */
  readonly total: number;
  /** Citations that pass the filters: all of them, not only the page's. */
  readonly citations: number;
  /** The page, in order. */
  readonly page: readonly { readonly source: string; readonly citations: number }[];
  readonly used: PlanUsed;
}

/** What an account's facts say of themselves. */
export interface FactsState {
  /** Another text whenever the facts were rebuilt. */
  readonly generation: string;
  readonly snapshot: Snapshot;
  /** Up to it (and with it) all answers of the record are in the facts. */
  readonly mark: RecordMark;
  /** Prompts whose answers were read and left out, being retired. */
  readonly skippedPrompts: ReadonlySet<string>;
}

/** What went wrong with the facts themselves. */
export type FactsFault =
  /** They may be damaged: `repair` tells. */
  | "suspect"
  /** They cannot be read although nothing says that they are damaged: locked, or forbidden. */
  | "unavailable"
  | "disk-full"
  | "other";

/** Facts that cannot be read or written. */
export class FactsError extends Error {
  readonly fault: FactsFault;

  constructor(fault: FactsFault, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "FactsError";
    this.fault = fault;
  }
}

/** The generation that was asked is not the one that answers: plan again by the state of today. */
export class GenerationGoneError extends Error {
  constructor(generation: string) {
    super(`the facts of generation ${generation} are gone`);
    this.name = "GenerationGoneError";
  }
}

/** A plan, and the generation of facts by which it was made. */
export interface Planned<Plan> {
  readonly generation: string;
  readonly plan: Plan;
}

/** The plans of a page of sources, and of what it is compared with. */
export interface ComparedSourcesPlan {
  readonly page: SourceGapsPlan;
  /** Null: nothing is compared. */
  readonly compare: SourceGapsPlan | null;
  /** The same of the providers that stayed as they were; null: none or all did. */
  readonly continuing: { readonly page: SourceGapsPlan; readonly compare: SourceGapsPlan } | null;
}

/** Damaged facts that were put out of the way. */
export interface Repair {
  readonly damage: string;
  /** Where they are, for those who examine them. */
  readonly place: string;
}

/**
 * The derived facts of all accounts. The account comes first. Facts are of one generation, until
 * another one, built beside it, takes its place in one step. Questions name the generation that
 * they were planned by, and see the last batch that was appended whole. Any method may throw
 * FactsError.
 */
export interface FactsEngine {
  /** Null: the account has no facts. */
  readonly state: (accountId: string) => Promise<FactsState | null>;
  /**
   * For each of the plan's measures the sum of entity e in bucket b, at e × buckets + b; see
   * SeriesFacts. @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly series: (
    accountId: string,
    planned: Planned<TimeSeriesPlan>,
    signal: AbortSignal,
  ) => Promise<readonly Float64Array[]>;
  /**
   * The sums of a time series, and how its prompts vary.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly countedSeries: (
    accountId: string,
    planned: Planned<TimeSeriesPlan>,
    signal: AbortSignal,
  ) => Promise<Pick<SeriesFacts, "sums" | "spread">>;
  /**
   * Sums by group, prompt, week and entity, in no order: one more than the plan allows at most.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly promptSums: (
    accountId: string,
    planned: Planned<PromptSumsPlan>,
    signal: AbortSignal,
  ) => Promise<readonly PromptSums[]>;
  /**
   * Sums by group, pair of provider and region, and entity, of prompts that both sides of a
   * comparison have, in no order: one more than the plan allows at most.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly pairSums: (
    accountId: string,
    planned: Planned<PairSumsPlan>,
    signal: AbortSignal,
  ) => Promise<PairSums>;
  /**
   * Sums by group, UTC day and entity, in no order: one more than the plan allows at most.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly daySums: (
    accountId: string,
    planned: Planned<DaySumsPlan>,
    signal: AbortSignal,
  ) => Promise<readonly DaySums[]>;
  /**
   * The answers that mention each entity by language, in one row or several, in no order: one more
   * row than the plan allows at most. @throws GenerationGoneError; the signal's reason when it
   * aborts.
   */
  readonly languages: (
    accountId: string,
    planned: Planned<LanguagesPlan>,
    signal: AbortSignal,
  ) => Promise<readonly LanguageCount[]>;
  /**
   * The answers of each origin of the groups, in one row or several, in no order: one more row than
   * the plan allows at most. @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly origins: (
    accountId: string,
    planned: Planned<OriginsPlan>,
    signal: AbortSignal,
  ) => Promise<readonly Origin[]>;
  /**
   * Hits by cited domain and by how many domains they cite, in no order: one more row than the plan
   * allows at most. @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly domainHits: (
    accountId: string,
    planned: Planned<DomainHitsPlan>,
    signal: AbortSignal,
  ) => Promise<readonly DomainHits[]>;
  /**
   * Of some answers those that pass the filters, with what extraction says of them, in no order.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly readings: (
    accountId: string,
    planned: Planned<ReadingsPlan>,
    signal: AbortSignal,
  ) => Promise<readonly AnswerReading[]>;
  /**
   * Pairs of consecutive answers by group and by how alike they are, in no order.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly stability: (
    accountId: string,
    planned: Planned<StabilityPlan>,
    signal: AbortSignal,
  ) => Promise<readonly AlikePairs[]>;
  /** By what answers something was measured. @throws as stability. */
  readonly measurement: (
    accountId: string,
    planned: Planned<MeasurementPlan>,
    signal: AbortSignal,
  ) => Promise<MeasurementFacts>;
  /** @throws GenerationGoneError; the signal's reason when it aborts. */
  readonly sources: (
    accountId: string,
    planned: Planned<SourcesPlan>,
    signal: AbortSignal,
  ) => Promise<Omit<SourcesFacts, "used">>;
  /**
   * Lives of citations by group and length, in no order: one row more than the plan allows at most.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly citationLives: (
    accountId: string,
    planned: Planned<LifePlan>,
    signal: AbortSignal,
  ) => Promise<readonly CitationLives[]>;
  /**
   * A page of search queries, with one query more than the page has.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly searchQueries: (
    accountId: string,
    planned: Planned<QueriesPlan>,
    signal: AbortSignal,
  ) => Promise<QueriesFound>;
  /**
   * Names that nobody tracks, of several answers and prompts, those of the most answers first.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly nameCounts: (
    accountId: string,
    planned: Planned<NamesPlan>,
    signal: AbortSignal,
  ) => Promise<readonly NameCounts[]>;
  /** How answers of the account write words, given by their numbers. @throws as nameCounts. */
  readonly nameWords: (
    accountId: string,
    planned: Planned<readonly number[]>,
    signal: AbortSignal,
  ) => Promise<readonly NameWord[]>;
  /** Where names stand in their first answers, and in some others. @throws as nameCounts. */
  readonly namePlaces: (
    accountId: string,
    planned: Planned<NamePlacesRead>,
    signal: AbortSignal,
  ) => Promise<readonly NamePlace[]>;
  /** How widely some names are spread, in no order. @throws as nameCounts. */
  readonly nameSpread: (
    accountId: string,
    planned: Planned<NamesRead>,
    signal: AbortSignal,
  ) => Promise<readonly NameSpread[]>;
  /** A page of names, and the answers that have only some of all. @throws as nameCounts. */
  readonly namesPage: (
    accountId: string,
    planned: Planned<NamesPageRead>,
    signal: AbortSignal,
  ) => Promise<NamesPageFound>;
  /**
   * The names of cited sources, in no order: one more than the plan allows at most.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly citedNames: (
    accountId: string,
    planned: Planned<CitedNamesPlan>,
    signal: AbortSignal,
  ) => Promise<readonly CitedName[]>;
  /**
   * A page of sources with the answers that cite each; with sums by prompt and by day, in no order,
   * when it is compared. @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly sourceGaps: (
    accountId: string,
    planned: Planned<ComparedSourcesPlan>,
    signal: AbortSignal,
  ) => Promise<Omit<SourceGapsFacts, "used">>;
  /** @throws GenerationGoneError; the signal's reason when it aborts. */
  readonly places: (
    accountId: string,
    planned: Planned<PlacesPlan>,
    signal: AbortSignal,
  ) => Promise<PlacesFound>;
  /**
   * How many answers to each prompt may be drawn, in one row or several, in no order.
   * @throws GenerationGoneError; the signal's reason when it aborts.
   */
  readonly drawable: (
    accountId: string,
    planned: Planned<DrawablePlan>,
    signal: AbortSignal,
  ) => Promise<readonly DrawableAnswers[]>;
  /** Those of some prompts that are drawn, in no order. @throws as drawable. */
  readonly drawn: (
    accountId: string,
    planned: Planned<DrawPlan>,
    signal: AbortSignal,
  ) => Promise<readonly DrawnAnswer[]>;
  /** @throws GenerationGoneError; the signal's reason when it aborts. */
  readonly coverage: (
    accountId: string,
    generation: string,
    signal: AbortSignal,
  ) => Promise<FactsCoverage>;
  /** Adds a batch and moves the mark: all of it, or nothing. @throws GenerationGoneError. */
  readonly append: (accountId: string, generation: string, rows: FactRows) => Promise<FactsState>;
  /** Goes on with a snapshot that only adds prompts and topics. @throws GenerationGoneError. */
  readonly extend: (
    accountId: string,
    generation: string,
    snapshot: Snapshot,
  ) => Promise<FactsState>;
  /** Begins an empty generation beside the one that answers; one begun before is dropped. */
  readonly begin: (accountId: string, snapshot: Snapshot) => Promise<FactsState>;
  /** Puts the generation that was begun in the place of the other. @throws GenerationGoneError. */
  readonly finish: (accountId: string, generation: string) => Promise<void>;
  /**
   * Has the engine check all of the account's facts. Damaged ones are put out of the way, so that
   * there are none. @returns null when nothing is damaged.
   */
  readonly repair: (accountId: string) => Promise<Repair | null>;
  /** Removes the facts of an account that was deleted, unless they lie in its folder. */
  readonly erase: (accountId: string) => Promise<void>;
  /** Closes what is open of an account that was deleted, and may have been made again. */
  readonly release: (accountId: string) => Promise<void>;
  readonly close: () => Promise<void>;
}
