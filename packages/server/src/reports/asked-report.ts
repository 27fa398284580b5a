import type {
  InsightsChangesResponse,
  InsightsSeriesResponse,
  InsightsSourcesResponse,
  InsightsSummaryRequest,
  InsightsSummaryResponse,
  MeasurementFacts,
  Note,
  ReportLanguage,
  ReportSection,
  UntrackedNamesResponse,
} from "@sightline/contract";

/** UTC days such as 2026-01-31; both are inside. */
export interface ReportDates {
  readonly startDate: string;
  readonly endDate: string;
}

/** The filters of questions, without a time, and what they leave out. */
export type ReportFilters = Omit<InsightsSummaryRequest["filters"], "timeRange"> & {
  readonly exclude?: InsightsSummaryRequest["exclude"];
};

/** What a report is to show. */
export interface AskedReport extends ReportDates {
  readonly title: string;
  readonly subtitle: string | null;
  /** In the order in which they are shown. */
  readonly sections: readonly ReportSection[];
  /** Null: nothing is compared. */
  readonly compareWith: ReportDates | null;
  readonly filters: ReportFilters;
  /** Whether words of answers are shown. */
  readonly showsEvidence: boolean;
  readonly language: ReportLanguage;
  /** A picture as a data URI; null: none. */
  readonly logo: string | null;
  /** #rrggbb; null: Sightline's. */
  readonly colour: string | null;
  /** What a person says above the figures; null: nothing. */
  readonly note: string | null;
  /** In milliseconds since 1970. */
  readonly madeAt: number;
}

/** The values of an entity over the whole period. */
export type ReportEntity = InsightsSummaryResponse["groups"][number]["entities"][number];

/** A value with its sums, interval and change. */
export type ReportValue = ReportEntity["mentions"];

/** The values that tiles show, in their order. */
export const reportMetrics = [
  "mentions",
  "citations",
  "visibility",
  "rank",
  "shareOfVoice",
] as const;

/** One of them. */
export type ReportMetric = (typeof reportMetrics)[number];

/** The values of all answers. */
export interface ReportSummary
  extends Pick<InsightsSummaryResponse, "tests" | "portrayalTests" | "compare"> {
  readonly answers: number;
  readonly prompts: number;
  /** The brand first, then the competitors with the most mentions. */
  readonly entities: readonly ReportEntity[];
  /** Competitors that are not listed. */
  readonly competitorsLeftOut: number;
}

/** What a change of the brand consists of. */
export type ReportChange = Omit<InsightsChangesResponse, "empty" | "facts">;

/** A sentence of an answer about the brand. */
export interface ReportQuote {
  readonly flag: "recommended" | "criticized";
  readonly answerId: string;
  readonly provider: string;
  readonly answeredAt: string;
  readonly sentence: string;
}

/** Cited domains, and those that are cited where a competitor is visible and the brand is not. */
export interface ReportSources {
  readonly listed: InsightsSourcesResponse["sources"];
  readonly gaps: InsightsSourcesResponse["sources"];
  /** Distinct domains. */
  readonly total: number;
}

/** A prompt's answers, and what they say of the brand. */
export interface ReportPrompt {
  readonly id: string | null;
  readonly text: string;
  readonly answers: number;
  readonly mentions: ReportValue;
  readonly citations: ReportValue;
  readonly rank: ReportValue;
}

/** The prompts of a report, by mentions. */
export interface ReportPrompts {
  readonly strongest: readonly ReportPrompt[];
  /** Prompts between the two lists. */
  readonly between: number;
  readonly weakest: readonly ReportPrompt[];
}

/** Why a section shows nothing: other than that there are no answers. */
export type SectionFault = "notReady" | "tooLarge";

/** Everything that a report shows. Null: the section is left out, or could not be answered. */
export interface ReportNumbers {
  readonly period: ReportDates;
  readonly compareWith: ReportDates | null;
  readonly madeAt: string;
  readonly brand: { readonly id: string; readonly name: string };
  /** Filters in words, one text each. */
  readonly filters: readonly string[];
  /** Invented answers in the account. */
  readonly sampleAnswers: number;
  /** Why there is nothing to say; null: there is something. */
  readonly empty: InsightsSummaryResponse["empty"];
  readonly summary: ReportSummary | null;
  readonly course: Pick<InsightsSeriesResponse, "interval" | "series" | "marks"> | null;
  readonly changes: readonly ReportChange[] | null;
  readonly quotes: readonly ReportQuote[] | null;
  readonly sources: ReportSources | null;
  readonly names: Pick<UntrackedNamesResponse, "onlyUnknown" | "names" | "total"> | null;
  readonly prompts: ReportPrompts | null;
  readonly notes: readonly Note[] | null;
  readonly measurement: MeasurementFacts | null;
  readonly leftOut: Readonly<Partial<Record<ReportSection, SectionFault>>>;
}
