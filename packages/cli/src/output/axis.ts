/** An axis of values: its ends, and the values at which it is labelled, rising. */
export interface Axis {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
}

const stepsMax = 4;
const reachMin = 1e-6;

/**
 * An axis over values from `least` on: round steps (1, 2, 2.5 or 5 times a power of ten), at most
 * four. Where `most` is not above `least`, or so little that no label would show it, the axis is
 * one long.
 */
export function axisOf(least: number, most: number): Axis {
  const reach = most - least > reachMin ? most - least : 1;
  const step = roundStep(reach / stepsMax);
  const count = Math.max(1, Math.ceil(reach / step - 1e-9));
  const ticks = Array.from({ length: count + 1 }, (_, place) => least + place * step);
  return { least, most: ticks.at(-1) ?? most, ticks };
}

function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 2.5, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}
