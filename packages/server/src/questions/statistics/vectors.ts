import assert from "node:assert/strict";
import { type Day, pairsFrom, type Side } from "./change.ts";
import type { Cluster } from "./moments.ts";

/** What the answers of one prompt, by one provider in one region, add to a value. */
export interface Cell extends Cluster {
  readonly prompt: number;
  readonly pair: number;
}

/** Numbers written one after the other. */
export const numbers = (text: string): readonly number[] => text.split(" ").map(Number);

/** Whether a value has so many digits of another. */
export function close(got: number | undefined | null, wanted: number, digits = 10): void {
  assert.ok(
    typeof got === "number" && Math.abs(got - wanted) <= 0.6 * 10 ** -digits,
    `${got} is not ${wanted} to ${digits} digits`,
  );
}

/** Prompts by what they add; one denominator stands for all. */
export function clustersOf(numerators: string, denominators: string): readonly Cluster[] {
  const below = numbers(denominators);
  return numbers(numerators).map((numerator, place) => {
    return { numerator, denominator: below[place] ?? below[0] ?? 0 };
  });
}

/** The same as cells of one provider and region; the prompts are numbered from 0. */
export function cellsOf(clusters: readonly Cluster[], pair = 0): readonly Cell[] {
  return clusters.map(({ numerator, denominator }, prompt) => {
    return { prompt, pair, numerator, denominator };
  });
}

/** A side of a comparison without days, or with those given. */
export function sideOf(cells: readonly Cell[], days: readonly Day[] = []): Side {
  return {
    clusters: sumsBy(cells, ({ prompt }) => prompt),
    pairsOf: (common) =>
      pairsFrom(
        sumsBy(
          cells.filter(({ prompt }) => common.has(prompt)),
          ({ pair }) => pair,
        ),
      ),
    days,
    prompts: new Set(cells.map(({ prompt }) => prompt)).size,
  };
}

function sumsBy(
  cells: readonly Cell[],
  keyOf: (cell: Cell) => number,
): ReadonlyMap<number, Cluster> {
  const sums = new Map<number, Cluster>();
  for (const cell of cells) {
    const { numerator, denominator } = sums.get(keyOf(cell)) ?? { numerator: 0, denominator: 0 };
    sums.set(keyOf(cell), {
      numerator: numerator + cell.numerator,
      denominator: denominator + cell.denominator,
    });
  }
  return sums;
}

/** The ten prompts of most examples. */
export const ten = clustersOf("7 6 0 0 7 1 3 0 7 2", "7");
/** The same, later. */
export const tenAfter = clustersOf("7 7 1 0 7 3 5 0 7 4", "7 7 7 7 7 7 7 7 7 6");
