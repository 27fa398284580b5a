import type { Grouping } from "@sightline/contract";

/** A column of the facts that filters look at. */
export type FilterColumn = "provider" | "topic" | "prompt" | "region" | "branded";

/** Sums by day: rows that agree in all of a rollup's columns are one row of it. */
export interface Rollup<Table extends RollupTable = RollupTable> {
  readonly table: Table;
  /** The filter columns that its rows keep. */
  readonly filters: readonly FilterColumn[];
  /** What its sums are grouped by, for a rollup of citations. */
  readonly groupBy?: Grouping;
}

/** The name of a rollup. */
export type RollupTable = "daily" | "daily_domains";

/** The rollups of appearances. */
export const appearanceRollups: readonly Rollup[] = [
  { table: "daily", filters: ["provider", "region", "branded"] },
];

/** The rollups of citations. Sums by day and URL would be nearly as many as the citations. */
export const citationRollups: readonly Rollup[] = [
  { table: "daily_domains", filters: [], groupBy: "domain" },
];

/** Why a rollup cannot answer a question. */
export type RefusalReason =
  | `filter_by_${FilterColumn}`
  | `group_by_${Grouping}`
  | "filter_by_source"
  | "sums_by_prompt"
  | "sums_by_answer"
  | "range_within_a_day";

/** A rollup that was considered, and why it was refused. */
export interface Refusal {
  readonly rollup: RollupTable;
  readonly reason: RefusalReason;
}

/** Which rollup answers a question; null: the rows themselves do. */
export interface RollupChoice {
  readonly rollup: RollupTable | null;
  /** The rollups considered before it, or all of them. */
  readonly refused: readonly Refusal[];
}

/** The first rollup that can answer, in the order given, and why those before it cannot. */
export function chooseRollup(
  candidates: readonly Rollup[],
  refuse: (rollup: Rollup) => RefusalReason | null,
): RollupChoice {
  const refused: Refusal[] = [];
  for (const rollup of candidates) {
    const reason = refuse(rollup);
    if (reason === null) return { rollup: rollup.table, refused };
    refused.push({ rollup: rollup.table, reason });
  }
  return { rollup: null, refused };
}

/** No rollup can answer, for one reason. */
export function noRollup(candidates: readonly Rollup[], reason: RefusalReason): RollupChoice {
  return chooseRollup(candidates, () => reason);
}

/** The first filter column that a rollup does not keep; null: it keeps them all. */
export function lostFilter(
  { filters }: Rollup,
  wanted: readonly FilterColumn[],
): RefusalReason | null {
  const lost = wanted.find((column) => !filters.includes(column));
  return lost === undefined ? null : `filter_by_${lost}`;
}

/** The grouping that a rollup of citations does not have; null: it has it. */
export function lostGrouping({ groupBy }: Rollup, wanted: Grouping): RefusalReason | null {
  return groupBy === wanted ? null : `group_by_${wanted}`;
}
