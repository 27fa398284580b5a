import type {
  ChangesMetricName,
  ContributionGrouping,
  EvidenceRole,
  Grouping,
  Interval,
  LabelMetric,
  LifeGrouping,
  Provider,
  SeriesMetricName,
  SourceClass,
  SourceForm,
  SourceOrder,
  SummaryGrouping,
  SummaryMetricName,
  Surface,
} from "@sightline/contract";
import { InvalidOptionError } from "./errors.ts";

/** An instant: a Date, or an RFC 3339 text with `Z` or an offset, which is sent unchanged. */
export type DateTime = Date | string;

/** The conditions for an answer to count. An omitted or empty filter does not restrict. */
export interface AnalyticsFilters {
  readonly timeRange: {
    /** Start of the range, inclusive. */
    readonly from: DateTime;
    /** End of the range, exclusive. */
    readonly to: DateTime;
  };
  readonly providers?: readonly Provider[] | undefined;
  /** Cannot be combined with `promptIds`. */
  readonly topics?: readonly { readonly id: string }[] | undefined;
  readonly promptIds?: readonly string[] | undefined;
  /** ISO 3166-1 alpha-2 country codes, in either case. */
  readonly regions?: readonly { readonly code: string }[] | undefined;
  /** true: branded prompts only. false: non-branded only. */
  readonly branded?: boolean | undefined;
}

/** The same for the insights and for evidence, with what the interface's operations lack. */
export interface InsightFilters extends AnalyticsFilters {
  /** By their names as answers have them. Answers whose model is not known do not pass. */
  readonly models?: readonly string[] | undefined;
  /** Only prompts with any of these tags, in any case. */
  readonly tags?: readonly string[] | undefined;
  /** Answers whose surface is not known do not pass. */
  readonly surfaces?: readonly Surface[] | undefined;
}

/**
 * What does not count although `filters` let it pass: the answers of any item. Topics and prompts
 * may be combined here.
 */
export type AnalyticsExclude = Omit<InsightFilters, "timeRange" | "branded">;

/** The conditions of an addition to the interface. */
interface Filtered {
  readonly filters: InsightFilters;
  readonly exclude?: AnalyticsExclude | undefined;
}

/** A question for one of the four time series. */
export interface TimeSeriesQuestion {
  readonly interval: Interval;
  readonly filters: AnalyticsFilters;
}

/** What a reply of the insights says in addition. */
interface IncludingFacts {
  /** facts: by what answers it was measured. */
  readonly include?: readonly "facts"[];
}

/** A question for one of the four time series, with counts. */
export interface InsightsSeriesQuestion extends Omit<TimeSeriesQuestion, "filters">, Filtered {
  readonly metric: SeriesMetricName;
  /** facts: by what answers it was measured. marks: weeks in which models or prompts changed. */
  readonly include?: readonly ("facts" | "marks")[];
}

/** A question for the sources that are cited most. */
export interface SourcesQuestion {
  readonly groupBy: Grouping;
  readonly filters: AnalyticsFilters;
  /** Sources per page, 1 to 100; 100 by default. */
  readonly limit?: number | undefined;
  /** Sources before the first page; 0 by default. */
  readonly offset?: number | undefined;
}

/** A cited source: what both name is meant. */
interface CitedSource {
  /** A registrable domain. */
  readonly domain?: string | undefined;
  /** A page, in any spelling with the same canonical URL. */
  readonly url?: string | undefined;
}

/** A question for the answers behind a value; with a source, for those of them that cite it. */
export interface EvidenceQuestion extends CitedSource, Filtered {
  /** The brand or a competitor; any of them when it is left out. */
  readonly entityId?: string | undefined;
  /** What the entity is in the answers. */
  readonly role: EvidenceRole;
  /** Answers per page, 1 to 100; 20 by default. */
  readonly limit?: number | undefined;
  /** `nextCursor` of an earlier page. */
  readonly cursor?: string | undefined;
}

/** What a question is compared with. */
export interface Comparison {
  /** Other filters: of an earlier window, or of another provider. */
  readonly compare?: Filtered | undefined;
  /** The least like-for-like difference of two fractions that is called moved; 0.02 by default. */
  readonly threshold?: number | undefined;
  /** The same of two mean ranks; 0.1 places by default. */
  readonly rankThreshold?: number | undefined;
}

/** A question for every value of each entity, with its uncertainty. */
export interface InsightsSummaryQuestion extends Comparison, Filtered {
  readonly groupBy: SummaryGrouping;
  /** Only these are listed; their values stay the same. All when it is left out or empty. */
  readonly entityIds?: readonly string[] | undefined;
  /** Whether the reply says how answers speak of the entities; true by default. */
  readonly portrayal?: boolean | undefined;
  /** What takes time and is left out otherwise. */
  readonly include?: readonly ("stability" | "trend" | "extraction" | "facts")[];
}

/**
 * A question for sources, and who is visible where they are cited; with a source, for the pages of
 * a domain, or for one page. Values stay the same.
 */
export interface InsightsSourcesQuestion
  extends Omit<SourcesQuestion, "filters">,
    Comparison,
    CitedSource,
    Filtered {
  /** `citations` by default. */
  readonly orderBy?: SourceOrder;
  /** Only sources of these classes are listed; all when it is left out or empty. */
  readonly sourceClasses?: readonly SourceClass[] | undefined;
  /** Only pages of these forms, or domains of such pages. */
  readonly forms?: readonly SourceForm[] | undefined;
  /** facts: by what answers it was measured. classes: the citations of each class. */
  readonly include?: readonly ("facts" | "classes")[];
}

/** A question for what the change of one value of an entity consists of. */
export interface InsightsChangesQuestion
  extends Omit<Comparison, "compare">,
    Filtered,
    IncludingFacts {
  readonly entityId: string;
  readonly metric: ChangesMetricName;
  /** What the change is divided by; `domain` only for mentions, visibility and citations. */
  readonly by: ContributionGrouping;
  /** The filters of the earlier side. */
  readonly compare: Filtered;
  /** The most contributions that are listed, 1 to 500; 100 by default. The rest is one sum. */
  readonly limit?: number | undefined;
}

/** A question for what assistants searched the web for. */
export interface SearchQueriesQuestion extends Filtered {
  /** Told of for each query; the brand when it is left out or empty. */
  readonly entityIds?: readonly string[] | undefined;
  /** Queries per page, 1 to 100; 20 by default. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** A question for how long citations last. */
export interface CitationLifeQuestion extends Filtered {
  readonly by: LifeGrouping;
  /** The most groups that are listed, 1 to 500; 100 by default. */
  readonly limit?: number | undefined;
}

/** A question for answers that somebody is going to label. */
export interface LabelSampleQuestion extends Filtered {
  /** The brand or a competitor. */
  readonly entityId: string;
  readonly metric: LabelMetric;
  /** How many answers, 1 to 5,000; 200 by default. */
  readonly limit?: number | undefined;
  /** Another one draws other answers; 1 by default. */
  readonly seed?: number | undefined;
}

/** A question for how an entity is named and cited. */
export interface InsightsPresenceQuestion
  extends Omit<Comparison, "rankThreshold">,
    Filtered,
    IncludingFacts {
  readonly entityId: string;
}

/**
 * A question for how many prompts and answers show a change: in the window of the filters, and the
 * one before it.
 */
export interface InsightsPlanQuestion extends Filtered, IncludingFacts {
  readonly entityId: string;
  readonly metric: SummaryMetricName;
  /** .05 by default, of ranks .5. */
  readonly change?: number | undefined;
  /** How probable it is that the change is seen; .8 by default. */
  readonly power?: number | undefined;
  /** Several by default. */
  readonly answersPerPrompt?: number | undefined;
  /** In place of the account's own. */
  readonly rate?: number | undefined;
  /** In place of the account's own. */
  readonly correlation?: number | undefined;
}

/**
 * A question as JSON. The service validates everything else, since its rules are newer.
 * @throws InvalidOptionError for an invalid Date, which JSON would turn into null.
 */
export function bodyOf(
  question:
    | TimeSeriesQuestion
    | SourcesQuestion
    | EvidenceQuestion
    | InsightsSummaryQuestion
    | InsightsChangesQuestion
    | InsightsPlanQuestion
    | InsightsPresenceQuestion
    | LabelSampleQuestion
    | CitationLifeQuestion
    | SearchQueriesQuestion,
): string {
  return JSON.stringify(question, function (this: Record<string, unknown>, name, value) {
    const given = this[name]; // `value` is already what the Date's toJSON returned
    if (given instanceof Date && Number.isNaN(given.getTime())) {
      throw new InvalidOptionError(`${name} is an invalid Date. Was a text misread?`);
    }
    return value;
  });
}
