/** A column of the facts that filters look at. */
export type FilterColumn = "provider" | "topic" | "prompt" | "region" | "branded";

/** Where sums are kept by day: rows that agree in all of a rollup's columns are one row of it. */
export interface Rollup {
  readonly table: RollupTable;
  /** The columns besides the day that its rows still tell apart. */
  readonly filters: readonly FilterColumn[];
}

/** The rollups of appearances, from the one with the fewest rows on. */
export const rollups = [
  { table: "daily", filters: ["provider", "region", "branded"] },
  { table: "daily_prompts", filters: ["topic", "prompt", "branded"] },
] as const satisfies readonly { table: string; filters: readonly FilterColumn[] }[];

/** The name of a rollup. */
export type RollupTable = (typeof rollups)[number]["table"];

/** Why a rollup cannot answer a question. */
export type RefusalReason = `filter_by_${FilterColumn}` | "range_within_a_day";

/** A rollup that was looked at, and why it was not taken. */
export interface Refusal {
  readonly rollup: RollupTable;
  readonly reason: RefusalReason;
}

/** That the index by prompt was looked at, and why it was not taken. */
export interface IndexRefusal {
  readonly rollup: "prompt_index";
  /** It is not (or not yet) in memory, or too many answers would have to be looked at. */
  readonly reason: "not_held" | "many_answers";
}

/** Which rollup answers a question; null: the rows themselves do. */
export interface RollupChoice {
  readonly rollup: RollupTable | null;
  /** Those before it, or all of them. */
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

/** The first filter that a rollup's rows do not tell apart any more; null: none. */
export function lostFilter(
  { filters }: Rollup,
  wanted: readonly FilterColumn[],
): RefusalReason | null {
  const lost = wanted.find((column) => !filters.includes(column));
  return lost === undefined ? null : `filter_by_${lost}`;
}
