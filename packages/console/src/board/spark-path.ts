import { linePath } from "../questions/charts/paths.ts";

/** The size of a sparkline, in px. */
export const sparkSize = { width: 96, height: 24 } as const;

/** So that the line is not cut off at the edges. */
const edge = 2;

/** The path of a sparkline from 0 to its greatest value; a week without a value interrupts it. */
export function sparkPath(points: readonly (number | null)[]): string {
  const greatest = Math.max(...points.map((each) => each ?? 0), Number.EPSILON);
  const step = (sparkSize.width - 2 * edge) / Math.max(1, points.length - 1);
  const ground = sparkSize.height - edge;
  const y = (value: number) => ground - (value / greatest) * (ground - edge);
  return linePath(
    points.map((value, place) => (value === null ? null : [edge + place * step, y(value)])),
  );
}
