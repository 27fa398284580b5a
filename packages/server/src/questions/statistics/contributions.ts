import type { Cluster } from "./moments.ts";

/** What one part of the answers contributes to a change. */
export interface Contribution<Key> {
  readonly key: Key;
  /** Of all parts of a partition, these add up to the change. */
  readonly value: number;
  /** Of it, what its own value brings about; 0 where it is on one side only. */
  readonly within: number;
  /** Of it, what its share of the answers brings about. */
  readonly mix: number;
  readonly before: Cluster;
  readonly after: Cluster;
}

const nothing: Cluster = { numerator: 0, denominator: 0 };

/**
 * What each part of a partition contributes to the change of a value (Kitagawa 1955), in the order
 * of the keys of the side before, then of those only after. A contribution is not a test.
 * @returns null when a side has no value.
 */
export function contributionsOf<Key>(
  before: ReadonlyMap<Key, Cluster>,
  after: ReadonlyMap<Key, Cluster>,
): readonly Contribution<Key>[] | null {
  const [first, second] = [sumOf(before), sumOf(after)];
  if (first.denominator === 0 || second.denominator === 0) return null;
  const mean = (first.numerator / first.denominator + second.numerator / second.denominator) / 2;
  const share = ({ numerator, denominator }: Cluster, total: Cluster) =>
    (numerator - mean * denominator) / total.denominator;
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [one, two] = [before.get(key) ?? nothing, after.get(key) ?? nothing];
    const value = share(two, second) - share(one, first);
    const isOnBoth = one.denominator > 0 && two.denominator > 0;
    const weights = one.denominator / first.denominator + two.denominator / second.denominator;
    const within = isOnBoth
      ? (weights / 2) * (two.numerator / two.denominator - one.numerator / one.denominator)
      : 0;
    return { key, value, within, mix: value - within, before: one, after: two };
  });
}

/** Hits that cite a number of distinct domains, one of which is the source. */
export interface SourceHits<Key> {
  readonly key: Key;
  /** Distinct domains that each of the hits cites, at least 1. */
  readonly domains: number;
  readonly hits: number;
}

/**
 * What each hit gives to the domains that it cites: an equal part of itself to each. The parts of
 * all sources add up to the hits, if those that cite nothing are given as a source of their own.
 */
export function sharedHits<Key>(rows: readonly SourceHits<Key>[]): ReadonlyMap<Key, number> {
  const sums = new Map<Key, number>();
  // In one order, so that rounding is the same whatever the order of the rows.
  for (const { key, domains, hits } of rows.toSorted((a, b) => a.domains - b.domains)) {
    sums.set(key, (sums.get(key) ?? 0) + hits / domains);
  }
  return sums;
}

/** The sums of a partition's parts. */
function sumOf(parts: ReadonlyMap<unknown, Cluster>): Cluster {
  let [numerator, denominator] = [0, 0];
  for (const part of parts.values()) {
    numerator += part.numerator;
    denominator += part.denominator;
  }
  return { numerator, denominator };
}
