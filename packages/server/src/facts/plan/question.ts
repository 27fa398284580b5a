import {
  bucketsMax,
  type ChangesMetricName,
  type ContributionGrouping,
  domainMetricNames,
  type Exclude,
  type FieldError,
  foldedTag,
  type Grouping,
  type InsightFilters,
  type InsightsChangesRequest,
  type InsightsPlanRequest,
  type InsightsSeriesRequest,
  type InsightsSummaryRequest,
  instantOf,
  intervals,
  overlapFault,
  type Provider,
  pointsMax,
  powerUnlessSaid,
  rankThresholdUnlessSaid,
  type SeriesMetricName,
  type SourceAnalysisRequest,
  type SummaryGrouping,
  type SummaryMetricName,
  summaryEntriesMax,
  type TimeSeriesRequest,
  thresholdUnlessSaid,
} from "@sightline/contract";
import type { Surface } from "../../answers/answer.ts";
import { ServiceError } from "../../platform/service-error.ts";
import { type Buckets, bucketsOf, countBuckets } from "./buckets.ts";

/** A source that answers cite. Both conditions hold for the same citation. */
export interface CitedSource {
  /** A registrable domain in lower case; null: any. */
  readonly domain: string | null;
  /** A page; null: any. */
  readonly url: string | null;
}

/** The source that a valid request names; null: none. */
export function citedSourceOf({
  domain,
  url,
}: {
  readonly domain?: string | undefined;
  readonly url?: string | undefined;
}): CitedSource | null {
  if (domain === undefined && url === undefined) return null;
  return Object.freeze({ domain: domain?.toLowerCase() ?? null, url: url ?? null });
}

/**
 * Which answers count: all conditions hold together. Null: no condition. Items are distinct,
 * sorted and in one case, so that equal questions are equal texts.
 */
export interface Selection {
  /** Milliseconds since 1970; included. */
  readonly fromMs: number;
  /** Milliseconds since 1970; not included. */
  readonly toMs: number;
  readonly providers: readonly Provider[] | null;
  readonly topicIds: readonly string[] | null;
  readonly promptIds: readonly string[] | null;
  readonly regions: readonly string[] | null;
  readonly models: readonly string[] | null;
  readonly surfaces: readonly Surface[] | null;
  /** Of prompts, as folded. */
  readonly tags: readonly string[] | null;
  readonly branded: boolean | null;
  /** Answers of any of these do not count; null: nothing is left out. */
  readonly exclude: Excluded | null;
}

/** What a selection leaves out. Null: nothing of its kind. */
export type Excluded = Pick<
  Selection,
  "providers" | "topicIds" | "promptIds" | "regions" | "models" | "surfaces" | "tags"
>;

/** What of a request says which answers count. */
interface Selecting {
  readonly filters: InsightFilters;
  readonly exclude?: Exclude | undefined;
}

/** A question for one of the four time series. */
export interface TimeSeriesQuestion {
  readonly metric: SeriesMetricName;
  readonly selection: Selection;
  readonly buckets: Buckets;
}

/** The same with counts. */
export interface CountedSeriesQuestion extends TimeSeriesQuestion {
  readonly compare: null;
  readonly withFacts: boolean;
  /** Whether the reply says in which weeks models or prompts changed. */
  readonly withMarks: boolean;
}

/** A question for one page of sources. */
export interface SourcesQuestion {
  readonly groupBy: Grouping;
  readonly selection: Selection;
  readonly limit: number;
  readonly offset: number;
}

/** What a question is compared with, and from where on a difference counts. */
export interface Comparison {
  /** Null: nothing is compared. */
  readonly compare: Selection | null;
  readonly threshold: number;
  /** The same of mean ranks. */
  readonly rankThreshold: number;
  /** Whether the reply says by what answers it was measured. */
  readonly withFacts: boolean;
}

/** A question for a summary. */
export interface SummaryQuestion extends Comparison {
  readonly groupBy: SummaryGrouping;
  readonly selection: Selection;
  /** Those that are listed, distinct, sorted and in lower case; null: all. */
  readonly entityIds: readonly string[] | null;
  readonly withStability: boolean;
  readonly withTrend: boolean;
  readonly withExtraction: boolean;
  /** Whether the reply says how answers speak of the entities. */
  readonly withPortrayal: boolean;
}

/** A question for what a change consists of. */
export interface ChangesQuestion extends Comparison {
  readonly selection: Selection;
  readonly compare: Selection;
  /** In lower case. */
  readonly entityId: string;
  readonly metric: ChangesMetricName;
  readonly by: ContributionGrouping;
  readonly limit: number;
}

/** A question for how many prompts and answers show a change. */
export interface PlanQuestion {
  readonly selection: Selection;
  readonly compare: null;
  readonly withFacts: boolean;
  /** In lower case. */
  readonly entityId: string;
  readonly metric: SummaryMetricName;
  /** Null: as the metric has it unless it is said. */
  readonly change: number | null;
  readonly power: number;
  /** Null: several. */
  readonly answersPerPrompt: number | null;
  /** Null: that of the account. */
  readonly rate: number | null;
  /** Null: that of the account. */
  readonly correlation: number | null;
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the range has more than bucketsMax buckets.
 */
export function timeSeriesQuestion(
  metric: SeriesMetricName,
  request: Pick<TimeSeriesRequest, "interval"> & Selecting,
): TimeSeriesQuestion {
  const { interval } = request;
  const selection = selectionOf(request);
  const count = countBuckets(interval, selection.fromMs, selection.toMs);
  if (count > bucketsMax) throw tooManyBuckets(interval, count);
  const buckets = bucketsOf(interval, selection.fromMs, selection.toMs);
  return Object.freeze({ metric, selection, buckets });
}

/** The question that a valid request asks. @throws as timeSeriesQuestion. */
export function countedSeriesQuestion(request: InsightsSeriesRequest): CountedSeriesQuestion {
  const series = timeSeriesQuestion(request.metric, request);
  const withMarks = request.include?.includes("marks") ?? false;
  return Object.freeze({ ...series, compare: null, withFacts: asksFacts(request), withMarks });
}

function asksFacts({ include = [] }: { readonly include?: readonly string[] | undefined }) {
  return include.includes("facts");
}

/** The question that a valid request asks. */
export function sourcesQuestion(
  request: Omit<SourceAnalysisRequest, "filters"> & Selecting,
): SourcesQuestion {
  const { groupBy, limit, offset } = request;
  return Object.freeze({ groupBy, limit, offset, selection: selectionOf(request) });
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the same answers would count on both sides.
 */
export function summaryQuestion(request: InsightsSummaryRequest): SummaryQuestion {
  const { groupBy, include = [] } = request;
  const withStability = include.includes("stability");
  const selection = selectionOf(request);
  const entityIds = distinct(request.entityIds?.map((id) => id.toLowerCase()));
  const withTrend = include.includes("trend");
  return Object.freeze({
    groupBy,
    selection,
    entityIds,
    withStability,
    withTrend,
    withExtraction: include.includes("extraction"),
    withPortrayal: request.portrayal ?? true,
    ...comparisonOf(request),
  });
}

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when a fraction is to change by more than 1.
 */
export function planQuestion(request: InsightsPlanRequest): PlanQuestion {
  const { metric, change = null, power = powerUnlessSaid, answersPerPrompt = null } = request;
  if (metric !== "rank" && change !== null && change > 1) {
    const message = "must be at most 1, but for ranks: 0.05 are 5 points.";
    const error: FieldError = { path: "/change", code: "too_large", message };
    throw new ServiceError("invalid_request", `${error.path}: ${message}`, { errors: [error] });
  }
  const { rate = null, correlation = null } = request;
  const [selection, entityId] = [selectionOf(request), request.entityId.toLowerCase()];
  const given = { change, power, answersPerPrompt, rate, correlation };
  const withFacts = asksFacts(request);
  return Object.freeze({ selection, entityId, metric, compare: null, withFacts, ...given });
}

type ComparisonRequest = Pick<
  InsightsSummaryRequest,
  "filters" | "exclude" | "compare" | "threshold" | "rankThreshold"
> & { readonly include?: readonly string[] | undefined };

/**
 * The question that a valid request asks.
 * @throws ServiceError invalid_request when the metric has no contributions of domains; as
 * summaryQuestion.
 */
export function changesQuestion(request: InsightsChangesRequest): ChangesQuestion {
  const { compare, metric, by, limit } = request;
  const names: readonly string[] = domainMetricNames;
  if (by === "domain" && !names.includes(metric)) {
    const message = `must be ${names.join(", ")} by domain.`;
    const error: FieldError = { path: "/metric", code: "not_allowed", message };
    throw new ServiceError("invalid_request", `${error.path}: ${message}`, { errors: [error] });
  }
  return Object.freeze({
    ...comparisonOf(request),
    selection: selectionOf(request),
    compare: selectionOf(compare),
    entityId: request.entityId.toLowerCase(),
    metric,
    by,
    limit,
  });
}

/**
 * What a valid request compares with.
 * @throws ServiceError invalid_request when the same answers would count on both sides.
 */
export function comparisonOf(request: ComparisonRequest): Comparison {
  const { compare } = request;
  const { threshold = thresholdUnlessSaid, rankThreshold = rankThresholdUnlessSaid } = request;
  const thresholds = { threshold, rankThreshold, withFacts: asksFacts(request) };
  if (compare === undefined) return { compare: null, ...thresholds };
  const compared = selectionOf(compare);
  checkOverlap(selectionOf(request), compared);
  return { compare: compared, ...thresholds };
}

/**
 * Two periods under the same filters: an answer of both would count on both sides, and the change
 * would be that of the others alone. Other filters over the same time are compared on purpose.
 */
function checkOverlap(selection: Selection, compared: Selection): void {
  const { fromMs, toMs } = selection;
  if (JSON.stringify({ ...compared, fromMs, toMs }) !== JSON.stringify(selection)) return;
  const fault = overlapFault(selection, compared);
  if (fault === null) return;
  const message = `must not overlap filters.timeRange while the other filters are equal: ${fault}`;
  const error: FieldError = { path: "/compare/filters/timeRange", code: "not_allowed", message };
  throw new ServiceError("invalid_request", `${error.path}: ${message}`, { errors: [error] });
}

/** The answers that valid filters choose. */
export function selectionOf({ filters, exclude = {} }: Selecting): Selection {
  const excluded = itemsOf(exclude);
  return Object.freeze({
    fromMs: instantOf(filters.timeRange.from) ?? Number.NaN,
    toMs: instantOf(filters.timeRange.to) ?? Number.NaN,
    ...itemsOf(filters),
    branded: filters.branded ?? null,
    exclude: Object.values(excluded).every((items) => items === null) ? null : excluded,
  });
}

function itemsOf(items: InsightFilters | Exclude): Excluded {
  const { providers, topics, promptIds, regions, models, surfaces, tags } = items;
  return {
    providers: distinct(providers),
    topicIds: distinct(topics?.map(({ id }) => id.toLowerCase())),
    promptIds: distinct(promptIds?.map((id) => id.toLowerCase())),
    regions: distinct(regions?.map(({ code }) => code.toUpperCase())),
    models: distinct(models),
    surfaces: distinct(surfaces),
    tags: distinct(tags?.map(foldedTag)),
  };
}

/** An empty array is the same as leaving the filter out. */
export function distinct<Item extends string>(
  items: readonly Item[] | undefined,
): readonly Item[] | null {
  if (items === undefined || items.length === 0) return null;
  return [...new Set(items)].toSorted();
}

/**
 * Checks the size of the reply to a question, which depends on how many entities are tracked.
 * @throws ServiceError invalid_request when it has more than pointsMax points.
 */
export function checkPoints({ buckets }: TimeSeriesQuestion, entities: number): void {
  const { interval, startsMs } = buckets;
  const points = entities * startsMs.length;
  if (points <= pointsMax) return;
  const error: FieldError = {
    path: "/interval",
    code: "too_large",
    message:
      `must give at most ${pointsMax} points, got ${points} (${entities} entities in ` +
      `${startsMs.length} ${interval} buckets). ${advice(interval)}`,
  };
  throw new ServiceError("invalid_request", "The reply would have too many points.", {
    errors: [error],
  });
}

/**
 * Checks the size of a summary.
 * @throws ServiceError invalid_request when it has more than summaryEntriesMax entries.
 */
export function checkEntries(groups: number, entities: number): void {
  if (groups * entities <= summaryEntriesMax) return;
  const counts = `${groups * entities} (${groups} groups of ${entities} entities)`;
  throw tooManyGroups(`must give at most ${summaryEntriesMax} entries, got ${counts}.`);
}

/** The most models that answers are grouped by: each answer is looked up among them. */
const groupedModelsMax = 500;

/**
 * Checks how many models answers are grouped by.
 * @throws ServiceError invalid_request when there are more than groupedModelsMax.
 */
export function checkModels(models: number): void {
  if (models <= groupedModelsMax) return;
  throw tooManyGroups(`must give at most ${groupedModelsMax} models, got ${models}.`);
}

/** A summary is made of too many sums. */
export function tooManySums(most: number): ServiceError {
  return tooManyGroups(`must need at most ${most} sums of a group, a prompt and an entity.`);
}

function tooManyGroups(fault: string): ServiceError {
  const advice = "Filter by topics or prompts, list fewer entities, or use another grouping.";
  const error: FieldError = {
    path: "/groupBy",
    code: "too_large",
    message: `${fault} ${advice}`,
  };
  return new ServiceError("invalid_request", "The reply would have too many groups.", {
    errors: [error],
  });
}

function tooManyBuckets(interval: TimeSeriesRequest["interval"], count: number): ServiceError {
  const error: FieldError = {
    path: "/interval",
    code: "too_large",
    message:
      `must give at most ${bucketsMax} buckets, got ${count} ${interval} buckets. ` +
      advice(interval),
  };
  return new ServiceError("invalid_request", "The range has too many buckets.", {
    errors: [error],
  });
}

/** What makes a reply smaller. */
function advice(interval: TimeSeriesRequest["interval"]): string {
  const longer = intervals.slice(intervals.indexOf(interval) + 1);
  return longer.length === 0
    ? "Use a shorter range."
    : `Use a longer interval (${longer.join(" or ")}) or a shorter range.`;
}
