import type {
  EmptyReason,
  MeasurementFacts,
  PortrayalFlag,
  ReportSection,
  SourceClass,
} from "@sightline/contract";
import type { ReportMetric, SectionFault } from "../asked-report.ts";

/** How sure a change is, in the words of a report. */
export type ChangeWord =
  | "moved"
  | "withinNoise"
  | "insufficient"
  | "discontinuous"
  | "nothingToCompare"
  | "noCommonPrompts"
  | "tooShort";

/** A value in a sentence; its texts are formatted. */
interface SaidValue {
  readonly brand: string;
  readonly value: string;
  /** Null: there is none. */
  readonly interval: string | null;
  readonly n: string;
}

/** A change in a sentence. */
interface SaidChange {
  readonly brand: string;
  readonly metric: ReportMetric;
  /** Its like-for-like part with its sign, and its bounds. */
  readonly size: string;
  readonly interval: string | null;
  readonly isBetter: boolean;
}

/** All texts of a report in one language. Texts of others are put in as they are. */
export interface ReportWords {
  /** Of numbers and dates. */
  readonly locale: string;
  readonly nothing: string;
  readonly points: string;
  readonly sections: Readonly<Record<ReportSection, string>>;
  readonly metrics: Readonly<Record<ReportMetric, string>>;
  /** What a metric counts. */
  readonly meanings: Readonly<Record<ReportMetric, string>>;
  readonly flags: Readonly<Record<PortrayalFlag, string>>;
  readonly changes: Readonly<Record<ChangeWord, string>>;
  readonly empty: Readonly<Record<EmptyReason, string>>;
  readonly faults: Readonly<Record<SectionFault, string>>;
  readonly owners: Readonly<Record<"own" | "competitor" | "thirdParty", string>>;
  readonly sourceClasses: Readonly<Record<SourceClass, string>>;
  readonly surfaces: Readonly<Record<"api" | "web", string>>;
  readonly head: {
    readonly period: string;
    readonly comparedWith: string;
    readonly notCompared: string;
    readonly filters: string;
    readonly noFilters: string;
    readonly made: (instant: string) => string;
    readonly basis: (answers: string, prompts: string) => string;
    readonly sampleAnswers: (count: string) => string;
    readonly logo: string;
  };
  readonly filters: {
    readonly topic: string;
    readonly prompts: (count: string) => string;
    readonly tag: string;
    readonly without: string;
    readonly branded: string;
    readonly notBranded: string;
    readonly more: (count: string) => string;
  };
  readonly figures: {
    readonly interval: string;
    readonly n: string;
    readonly change: string;
    readonly value: string;
    readonly before: string;
    readonly now: string;
    readonly to: string;
    readonly notTested: string;
    readonly explanation: string;
    readonly tests: (count: string) => string;
    readonly discontinuous: (providers: string) => string;
    readonly few: string;
  };
  readonly sentences: {
    readonly mentions: (said: SaidValue) => string;
    readonly citations: (said: SaidValue) => string;
    readonly rank: (said: SaidValue) => string;
    readonly moved: (said: SaidChange) => string;
    readonly nothingMoved: (brand: string) => string;
    readonly noComparison: string;
    readonly ahead: (leader: string, value: string) => string;
    readonly leads: (brand: string) => string;
  };
  readonly tables: Readonly<Record<TableWord, string>>;
  readonly course: {
    readonly title: (brand: string) => string;
    readonly description: (first: string, last: string) => string;
    readonly intervals: Readonly<Record<"daily" | "weekly" | "monthly", string>>;
    readonly band: (brand: string) => string;
    readonly figures: string;
    readonly marks: (dates: string) => string;
    readonly noLine: string;
  };
  readonly why: {
    readonly title: (metric: string, by: "provider" | "prompt") => string;
    readonly rest: (count: string) => string;
    readonly competitors: string;
    readonly notATest: string;
  };
  readonly portrayal: {
    readonly meaning: string;
    readonly quotes: Readonly<Record<"recommended" | "criticized", string>>;
  };
  readonly sources: {
    readonly lead: (total: string) => string;
    readonly gaps: string;
    readonly gapsMeaning: string;
    readonly noGaps: string;
  };
  readonly names: {
    readonly lead: (total: string) => string;
    readonly none: string;
    readonly onlyUnknown: string;
  };
  readonly prompts: {
    readonly between: (count: string) => string;
    readonly order: string;
  };
  readonly noNotes: string;
  readonly competitorsLeftOut: (count: string) => string;
  readonly measurement: {
    readonly rows: Readonly<Record<MeasurementRow, string>>;
    readonly perPrompt: (least: string, median: string, most: string) => string;
    readonly days: (withAnswers: string, days: string) => string;
    readonly notRecorded: string;
    readonly moreModels: (count: string) => string;
    readonly retest: (share: string, pairs: string) => string;
    readonly tooFewPairs: string;
    readonly outcome: (kind: "failed" | "refused" | "absent", count: string) => string;
    readonly outcomesUnknown: string;
    readonly versions: (facts: NonNullable<MeasurementFacts["versions"]>) => string;
  };
  readonly superseded: (made: string) => string;
}

/** A heading or a caption of a table. */
type TableWord =
  | "entity"
  | "date"
  | "part"
  | "contribution"
  | "domain"
  | "kind"
  | "owner"
  | "share"
  | "answersCiting"
  | "withBrand"
  | "competitorOnly"
  | "name"
  | "answers"
  | "prompts"
  | "prompt"
  | "place"
  | "note"
  | "said";

/** A row of the facts about the measurement. */
export type MeasurementRow =
  | "answers"
  | "perPrompt"
  | "days"
  | "providers"
  | "regions"
  | "surfaces"
  | "models"
  | "retest"
  | "excluded"
  | "versions";
