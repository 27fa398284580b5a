import { stabilityPairsMin } from "@sightline/contract";
import type { AlikePairs } from "../facts/plan/insight-plans.ts";

/** How alike the cited domains of a group's consecutive answers are. */
export interface Stability {
  /** Null: too few pairs. */
  readonly value: number | null;
  readonly pairs: number;
}

/** The stability of each group that has pairs. Rows may come in any order, in several parts. */
export function stabilityOf(rows: readonly AlikePairs[]): ReadonlyMap<number, Stability> {
  const sums = new Map<number, { likeness: number; pairs: number }>();
  // In one order, so that rounding is the same on every engine.
  const ordered = rows.toSorted((a, b) => a.either - b.either || a.shared - b.shared);
  for (const { group, shared, either, pairs } of ordered) {
    const own = sums.get(group) ?? { likeness: 0, pairs: 0 };
    own.likeness += (pairs * shared) / either;
    own.pairs += pairs;
    sums.set(group, own);
  }
  return new Map([...sums].map(([group, { likeness, pairs }]) => [group, mean(likeness, pairs)]));
}

/** Of a group without pairs. */
export const noStability: Stability = { value: null, pairs: 0 };

function mean(likeness: number, pairs: number): Stability {
  return { value: pairs < stabilityPairsMin ? null : likeness / pairs, pairs };
}
