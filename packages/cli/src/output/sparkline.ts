const levels = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;
const gap = " ";

/** The values between which sparklines are drawn: `low` is the shortest bar, `high` the longest. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** A value of a time series; null: nothing was measured. */
export type Value = number | null;

/**
 * The span of all values; null when there is none. With `better` -1 (a place) `low` is the greatest
 * value, so that a taller bar is always the better one.
 */
export function spanOf(values: readonly Value[], better: 1 | -1): Span | null {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value === null) continue;
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  if (most < least) return null;
  return better === 1 ? { low: least, high: most } : { low: most, high: least };
}

/**
 * One bar a value, in at most `width` columns; null is a gap. Where there are more values than
 * columns, neighbours share a bar, drawn at their mean: it is a picture, not a figure.
 */
export function sparkline(values: readonly Value[], span: Span | null, width: number): string {
  return shared(values, Math.max(1, width))
    .map((value) => (value === null || span === null ? gap : barOf(value, span)))
    .join("");
}

function barOf(value: number, { low, high }: Span): string {
  if (low === high) return levels[3];
  const place = Math.floor(((value - low) / (high - low)) * levels.length);
  return levels[Math.min(place, levels.length - 1)] ?? gap;
}

function shared(values: readonly Value[], width: number): readonly Value[] {
  if (values.length <= width) return values;
  return Array.from({ length: width }, (_, column) => {
    const first = Math.floor((column * values.length) / width);
    const end = Math.floor(((column + 1) * values.length) / width);
    const known = values.slice(first, end).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
