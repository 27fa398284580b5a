import { type MetricName, metrics } from "@sightline/contract";

/** How the values of a metric are shown. */
export interface Unit {
  /** Such as `34.5%` or `1.83`; null, which is not 0, as `–`. */
  readonly text: (value: number | null) => string;
  /** A difference, with its sign: `+3.2 pp` (percentage points) or `-0.40`. */
  readonly differenceText: (difference: number | null) => string;
  /** 1: more is better; -1: less is better. */
  readonly better: 1 | -1;
  /** What a number is, in words. */
  readonly words: string;
}

const nothing = "–";

function signed(number: number, digits: number): string {
  const text = number.toFixed(digits);
  // -0.04 is shown as 0.0: a sign would tell of a fall that the figure does not show.
  if (Number(text) === 0) return (0).toFixed(digits);
  return number > 0 ? `+${text}` : text;
}

const units: Readonly<Record<(typeof metrics)[MetricName]["unit"], Unit>> = {
  fraction: {
    text: (value) => (value === null ? nothing : `${(value * 100).toFixed(1)}%`),
    differenceText: (value) => (value === null ? nothing : `${signed(value * 100, 1)} pp`),
    better: 1,
    words: "% of all answers, more is better",
  },
  place: {
    text: (value) => (value === null ? nothing : value.toFixed(2)),
    differenceText: (value) => (value === null ? nothing : signed(value, 2)),
    better: -1,
    words: "mean place, 1 is first, less is better",
  },
};

/** How a metric's values are shown, by the contract's unit of it. */
export function unitOf(metric: MetricName): Unit {
  return units[metrics[metric].unit];
}
