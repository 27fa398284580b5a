/** The five operations by the last part of their path. */
export const operations = [
  "brands/mentions",
  "brands/overall-visibility",
  "brands/citations",
  "brands/rank",
  "sources",
] as const;
/** One of the five operations. */
type Operation = (typeof operations)[number];

/** The lengths of a bucket. */
export type Interval = "daily" | "weekly" | "monthly";

/** A name as a workspace file declares it. */
export interface Name {
  readonly text: string;
  readonly caseSensitive: boolean;
}

/** A tracked entity: which names it has is known, how texts are matched is not. */
export interface OracleEntity {
  readonly id: string;
  readonly name: string;
  readonly isBrand: boolean;
  readonly names: readonly Name[];
  readonly domains: readonly string[];
  /** Phrases inside which its names are not mentions. */
  readonly except: readonly string[];
}

/** A prompt that the workspace names today. */
export interface OraclePrompt {
  readonly id: string;
  readonly text: string;
  readonly topicId: string | null;
  readonly branded: boolean;
  /** By code unit; omitted: none. */
  readonly tags?: readonly string[];
}

/** What is tracked today. */
export interface OracleWorkspace {
  readonly entities: readonly OracleEntity[];
  readonly topics: readonly { readonly id: string; readonly name: string }[];
  readonly prompts: readonly OraclePrompt[];
}

/** A page whose canonical form was there first: the answers cite spellings made from it. */
export interface Page {
  readonly url: string;
  readonly domain: string;
  /** Every own domain, with and without path prefix, that this page lies within. */
  readonly within: readonly string[];
}

/** An answer of which it is known, without reading its text, what it names and cites. */
export interface OracleAnswer {
  readonly id: string;
  readonly promptId: string;
  readonly provider: string;
  readonly region: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly outcome: "answered" | "absent" | "failed" | "refused";
  readonly model: string | null;
  readonly surface: "api" | "web" | null;
  /** As it is imported; what it says of those whom it names is read by the service's own reader. */
  readonly text: string;
  /**
   * The names that stand in its text, in order, repeated as often as they stand there; a phrase:
   * what the name is a part of.
   */
  readonly named: readonly (Name & { readonly phrase?: string })[];
  /** The pages that it cites, repeated as often as it does. */
  readonly cited: readonly Page[];
}

/** All that the oracle knows of an account. */
export interface OracleAccount {
  readonly workspace: OracleWorkspace;
  readonly answers: readonly OracleAnswer[];
  /** When an answer was recorded last, in milliseconds since 1970; null: none was. */
  readonly importedAt: number | null;
}

/** Filters as they are sent. */
export interface Filters {
  readonly timeRange: { readonly from: string; readonly to: string };
  readonly providers?: readonly string[];
  readonly topics?: readonly { readonly id: string }[];
  readonly promptIds?: readonly string[];
  readonly regions?: readonly { readonly code: string }[];
  readonly branded?: boolean;
  /** Of insights alone, as surfaces are. */
  readonly models?: readonly string[];
  readonly surfaces?: readonly string[];
  readonly tags?: readonly string[];
}

/** What is left out of an insight, as it is sent. */
export type Excluded = Omit<Filters, "timeRange" | "branded">;

/** The instants of a question's range, which the spelling of `from` and `to` was made from. */
export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A question for operations 1 to 4. */
export interface SeriesQuestion extends Range {
  readonly operation: Exclude<Operation, "sources">;
  readonly body: { readonly interval: Interval; readonly filters: Filters };
}

/** A question for operation 5. */
export interface SourcesQuestion extends Range {
  readonly operation: "sources";
  readonly body: {
    readonly limit: number;
    readonly offset: number;
    readonly groupBy: "domain" | "url";
    readonly filters: Filters;
  };
}

/** Any question. */
export type Question = SeriesQuestion | SourcesQuestion;

/** Whether a question is about sources. */
export function asksSources(question: Question): question is SourcesQuestion {
  return question.operation === "sources";
}
