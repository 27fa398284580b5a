/**
 * The p of each of several tests, adjusted so that at most 5 % of those at or below .05 are wrong
 * (Benjamini and Hochberg 1995). In the order given.
 */
export function adjustedP(ps: readonly number[]): readonly number[] {
  const order = [...ps.keys()].sort((a, b) => (ps[b] ?? 0) - (ps[a] ?? 0));
  const adjusted = new Array<number>(ps.length).fill(1);
  let least = 1;
  for (const [place, index] of order.entries()) {
    const rank = ps.length - place;
    least = Math.min(least, ((ps[index] ?? 1) * ps.length) / rank);
    adjusted[index] = least;
  }
  return adjusted;
}
