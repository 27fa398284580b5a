/**
 * Krippendorff's α of nominal data: 1 − observed / expected disagreement. Units are what was
 * judged, each with the values that it was given; a unit with fewer than two says nothing.
 *
 * Krippendorff, Computing Krippendorff's Alpha-Reliability (2011); a test has the examples.
 * @returns null: nothing was judged twice, or all values are equal, so that chance is unknown.
 */
export function krippendorffAlpha(
  units: Iterable<readonly (string | number | boolean)[]>,
): number | null {
  const totals = new Map<string | number | boolean, number>();
  let [values, disagreement] = [0, 0];
  for (const unit of units) {
    const size = unit.length;
    if (size < 2) continue;
    values += size;
    const counts = new Map<string | number | boolean, number>();
    for (const value of unit) counts.set(value, (counts.get(value) ?? 0) + 1);
    for (const [value, count] of counts) {
      totals.set(value, (totals.get(value) ?? 0) + count);
      disagreement += (count * (size - count)) / (size - 1);
    }
  }
  let expected = 0;
  for (const total of totals.values()) expected += total * (values - total);
  return expected === 0 ? null : 1 - ((values - 1) * disagreement) / expected;
}
