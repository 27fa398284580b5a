import { type Codes, type RowSelection, rowsOf, type SourcesPlan } from "./plan.ts";
import type { Selection, SourceGapsQuestion, SourcesQuestion } from "./question.ts";
import {
  appearanceRollups,
  citationRollups,
  type FilterColumn,
  noRollup,
  type RollupChoice,
} from "./rollups.ts";

/** What sums by prompt are of. */
export interface PromptSumsOf {
  /** Null: all answers are one group. */
  readonly groupBy: FilterColumn | null;
  /** The numbers of the entities with sums of their own; null: all. */
  readonly listed: readonly number[] | null;
}

/** How sums by prompt are computed from the facts. */
export interface PromptSumsPlan extends PromptSumsOf {
  readonly choice: RollupChoice;
  readonly rows: RowSelection;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** How the models and surfaces behind answers are found. */
export interface OriginsPlan {
  readonly rows: RowSelection;
  readonly groupBy: FilterColumn | null;
  /** No more rows are read. */
  readonly rowsMax: number;
}

/** Which model and surface of a provider gave answers of a group; 0: not known. */
export interface Origin {
  /** As PromptSums has it. */
  readonly group: number;
  readonly provider: number;
  readonly model: number;
  readonly surface: number;
}

/** How consecutive answers are compared by what they cite. */
export interface StabilityPlan {
  /** Citations. */
  readonly rows: RowSelection;
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
  readonly groupBy: FilterColumn | null;
}

/** Pairs of consecutive answers of a group that are equally alike. */
export interface AlikePairs {
  /** As PromptSums has it. */
  readonly group: number;
  /** Domains that both cite. */
  readonly shared: number;
  /** Domains that either cites; at least 1. */
  readonly either: number;
  readonly pairs: number;
}

/** How a page of sources is computed with the answers that cite each. */
export interface SourceGapsPlan extends SourcesPlan {
  /** The same answers, by appearances. */
  readonly answers: RowSelection;
}

/** The most rows of sums by prompt: some 50 MB of memory. */
const promptSumsMax = 500_000;

/** The plan of sums by prompt; null when no row can pass the filters. */
export function planPromptSums(
  selection: Selection,
  { groupBy, listed }: PromptSumsOf,
  codes: Codes,
): PromptSumsPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  const choice = noRollup(appearanceRollups, "sums_by_prompt");
  return rows && { choice, rows, groupBy, listed, rowsMax: promptSumsMax };
}

/** The plan of origins; null when no row can pass the filters. */
export function planOrigins(
  selection: Selection,
  groupBy: FilterColumn | null,
  codes: Codes,
): OriginsPlan | null {
  const rows = rowsOf(selection, "appearances", codes);
  return rows && { rows, groupBy, rowsMax: promptSumsMax };
}

/** The plan of stability; null when no row can pass the filters. */
export function planStability(
  selection: Selection,
  groupBy: FilterColumn | null,
  codes: Codes,
): StabilityPlan | null {
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  return rows && answers && { rows, answers, groupBy };
}

/** The plan of sources with their gaps; null when no row can pass the filters. */
export function planSourceGaps(
  question: SourcesQuestion & Pick<SourceGapsQuestion, "listed">,
  codes: Codes,
): SourceGapsPlan | null {
  const { selection, groupBy, listed, limit, offset } = question;
  const rows = rowsOf(selection, "citations", codes);
  const answers = rowsOf(selection, "appearances", codes);
  const choice = noRollup(citationRollups, "sums_by_answer");
  return rows && answers && { choice, rows, answers, groupBy, listed, limit, offset };
}
