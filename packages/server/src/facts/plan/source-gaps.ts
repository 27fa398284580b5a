import type { PlanUsed } from "./plan.ts";

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

/** A cited source, and who is visible in the answers that cite it. */
export interface SourceGap {
  readonly source: string;
  readonly citations: number;
  /** Answers that cite it. */
  readonly answers: number;
  readonly withBrand: number;
  readonly withBrandOnly: number;
  readonly withCompetitorOnly: number;
}

/** What a sum by prompt counts, if not the citations of a source of the page. */
export const [allAnswers, allCitations] = [-2, -1] as const;

/** A sum over the answers to one prompt. */
export interface SourcePromptSum {
  readonly prompt: number;
  /** `allAnswers`, `allCitations`, or the citations of a source, by its place on the page. */
  readonly counted: number;
  readonly sum: number;
}

/** The sums by prompt of both sides of a comparison. */
export interface ComparedSources {
  readonly before: readonly SourcePromptSum[];
  readonly after: readonly SourcePromptSum[];
}

/** What the facts say to a page of sources with gaps. */
export interface SourceGapsFacts {
  readonly total: number;
  readonly citations: number;
  readonly page: readonly SourceGap[];
  /** Null: nothing is compared. */
  readonly compared: ComparedSources | null;
  readonly used: PlanUsed;
}
