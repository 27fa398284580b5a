import {
  type Codes,
  citationRollups,
  noRollup,
  type PlanUsed,
  type RowSelection,
  rowsOf,
  type SourcesPlan,
} from "./plan.ts";
import type { CitedSource, SourcesQuestion } from "./question.ts";
import type { ListedNames } from "./source-plans.ts";
import type { SourceGapsQuestion } from "./source-questions.ts";

/** How a page of sources is computed with the answers that cite each. */
export interface SourceGapsPlan extends SourcesPlan {
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  /** Only sources of these citations are listed; null: all. */
  readonly listed: CitedSource | null;
  readonly orderBy: SourceGapsQuestion["orderBy"];
  /** Only sources of these names are listed; null: all. */
  readonly named: ListedNames | null;
  /** Only pages of these forms; null: all. */
  readonly forms: SourceGapsQuestion["forms"];
}

/** The plan of sources with their gaps; null when no row can pass the filters. */
export function planSourceGaps(
  question: SourcesQuestion & Pick<SourceGapsQuestion, "listed" | "orderBy" | "forms">,
  { codes, named }: { readonly codes: Codes; readonly named: ListedNames | null },
): SourceGapsPlan | null {
  const { selection, groupBy, listed, limit, offset, orderBy, forms } = question;
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  const choice = noRollup(citationRollups, "sums_by_answer");
  if (rows === null || answers === null) return null;
  const which = { groupBy, listed, named, forms, limit, offset, orderBy };
  return { choice, rows, answers, ...which };
}

/** A cited source, and who is visible in the answers that cite it. */
interface SourceGap {
  readonly source: string;
  readonly citations: number;
  /** Answers that cite it. */
  readonly answers: number;
  /** Over prompts, the sum of the squares of the answers that cite it. */
  readonly promptSquares: number;
  readonly withBrand: number;
  readonly withBrandOnly: number;
  readonly withCompetitorOnly: number;
  /** The first and the last answer that cites it: milliseconds since 1970. */
  readonly firstCitedMs: number;
  readonly lastCitedMs: number;
}

/** As many prompts does the mean gap of all sources count for in the gap of each. */
export const meanGapPrompts = 5;

/** What all sources together come to. */
export interface GapTotals {
  /** Answers that pass the filters, those that cite nothing included. */
  readonly answers: number;
  /** Pairs of an answer and a source that it cites. */
  readonly citing: number;
  /** Those of them with a competitor and without the brand. */
  readonly gaps: number;
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

/** A sum over the answers of one provider in one region, to prompts that both sides cite for. */
interface SourcePairSum {
  /** See pairRegions. */
  readonly pair: number;
  /** As SourcePromptSum has it. */
  readonly counted: number;
  readonly sum: number;
}

/** A sum over the answers of one UTC day. */
interface SourceDaySum {
  /** Days since 1970. */
  readonly day: number;
  /** As SourcePromptSum has it; of `allAnswers`, the sum is how many prompts have answers. */
  readonly counted: number;
  readonly sum: number;
}

/** The sums of one side of a comparison. */
export interface SourceSums {
  readonly prompts: readonly SourcePromptSum[];
  readonly pairs: readonly SourcePairSum[];
  readonly days: readonly SourceDaySum[];
}

/** The sums of both sides of a comparison. */
export interface ComparedSources {
  readonly before: SourceSums;
  readonly after: SourceSums;
  /** Of the providers that stayed as they were; null: none or all did. */
  readonly continuing: Pick<ComparedSources, "before" | "after"> | null;
}

/** What the facts say to a page of sources with gaps. */
export interface SourceGapsFacts {
  readonly total: number;
  readonly citations: number;
  readonly page: readonly SourceGap[];
  readonly all: GapTotals;
  /** Null: nothing is compared. */
  readonly compared: ComparedSources | null;
  readonly used: PlanUsed;
}
