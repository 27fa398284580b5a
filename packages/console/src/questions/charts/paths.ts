/** Where a point is, in px; null: nothing was measured, and the path is interrupted. */
type Place = readonly [x: number, y: number] | null;

/**
 * The path of a line through places. One alone is a line of no length, which round ends make a
 * dot. A library for shapes would be 20 KB of the first load for these two functions.
 */
export function linePath(places: readonly Place[]): string {
  return runsOf(places)
    .map((run) => `M${run.map(textOf).join("L")}${run.length === 1 ? "Z" : ""}`)
    .join("");
}

/** The path of the area between two lines, whose places are pairs. */
export function bandPath(
  pairs: readonly (readonly [x: number, low: number, high: number] | null)[],
): string {
  return runsOf(pairs)
    .map((run) => {
      const upper = run.map(([x, , high]) => textOf([x, high]));
      const lower = run.map(([x, low]) => textOf([x, low])).toReversed();
      return `M${[...upper, ...lower].join("L")}Z`;
    })
    .join("");
}

/** The parts between which there is nothing. */
function runsOf<Of>(places: readonly (Of | null)[]): readonly (readonly Of[])[] {
  const runs: Of[][] = [[]];
  for (const place of places) {
    if (place === null) runs.push([]);
    else runs.at(-1)?.push(place);
  }
  return runs.filter((run) => run.length > 0);
}

const textOf = ([x, y]: readonly [number, number]): string => `${rounded(x)},${rounded(y)}`;

/** A thousandth of a px is nothing that is seen. */
const rounded = (px: number): number => Math.round(px * 1_000) / 1_000;
