import {
  appearanceRollups,
  type Codes,
  citationRollups,
  type FilterColumn,
  noRollup,
  type PlanUsed,
  type RollupChoice,
  type RowSelection,
  rowsOf,
  type SourcesPlan,
} from "./plan.ts";
import type { Selection, SourceGapsQuestion, SourcesQuestion } from "./question.ts";

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

/** The entity of sums over all entities without sums of their own. */
export const otherEntities = -1;

/**
 * Sums over the answers of a group to one prompt. Entity 0 is the answers themselves: `mentioned`
 * is how many there are. `first`: how many have it at rank 1; an answer that mentions any entity
 * has exactly one at that rank.
 */
export interface PromptSums {
  /** The code of what is grouped by; 0 without a grouping, and where an answer has none. */
  readonly group: number;
  readonly prompt: number;
  readonly entity: number;
  readonly mentioned: number;
  readonly cited: number;
  readonly visible: number;
  readonly rank: number;
  readonly first: number;
  /** When the newest of the answers was given: milliseconds since 1970. */
  readonly lastMs: number;
}

/** Which model and surface of a provider gave answers of a group; 0: not known. */
export interface Origin {
  /** As PromptSums has it. */
  readonly group: number;
  readonly provider: number;
  readonly model: number;
  readonly surface: number;
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

/** What the answers of a group to one prompt add to its values. */
export interface PromptCounts {
  readonly answers: number;
  /** When the newest was given: milliseconds since 1970. */
  readonly lastMs: number;
  /** Answers that mention any tracked entity. */
  readonly informative: number;
  /** Mentions, added up over all tracked entities. */
  readonly mentions: number;
  /** At each entity's number; undefined: it is never visible. */
  readonly entities: readonly (PromptSums | undefined)[];
}

/** The counts of a group, by prompt. */
export type GroupCounts = ReadonlyMap<number, PromptCounts>;

interface Counting {
  answers: number;
  lastMs: number;
  informative: number;
  mentions: number;
  readonly entities: (PromptSums | undefined)[];
}

/** The groups that sums are of. */
export function groupsOf(...lists: readonly (readonly PromptSums[])[]): ReadonlySet<number> {
  const groups = new Set<number>();
  for (const sums of lists) for (const { group } of sums) groups.add(group);
  return groups;
}

const sumsAtOnce = 1_000;

/** The counts of each group, from sums in any order. It can be paused after some sums. */
export function* groupCounts(
  sums: readonly PromptSums[],
): Generator<void, ReadonlyMap<number, GroupCounts>, void> {
  const groups = new Map<number, Map<number, Counting>>();
  for (const [place, each] of sums.entries()) {
    if (place % sumsAtOnce === 0) yield;
    const prompts = groups.get(each.group) ?? new Map<number, Counting>();
    groups.set(each.group, prompts);
    const counts = prompts.get(each.prompt) ?? newCounting();
    prompts.set(each.prompt, counts);
    if (each.entity === 0) {
      counts.answers = each.mentioned;
      counts.lastMs = each.lastMs;
      continue;
    }
    counts.informative += each.first;
    counts.mentions += each.mentioned;
    if (each.entity !== otherEntities) counts.entities[each.entity] = each;
  }
  return groups;
}

function newCounting(): Counting {
  return { answers: 0, lastMs: 0, informative: 0, mentions: 0, entities: [] };
}

/** A cited source, and who is visible in the answers that cite it. */
interface SourceGap {
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
