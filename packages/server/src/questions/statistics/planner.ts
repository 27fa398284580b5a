import { effectivePromptsMin } from "@sightline/contract";
import type { Cluster } from "./moments.ts";
import { criticalT } from "./student.ts";

/** How the answers of an account vary: what a plan of prompts and answers goes by. */
export interface Variation {
  /** The value of both windows together, a fraction. */
  readonly rate: number;
  /** Of answers to one prompt within a window. */
  readonly withinVariance: number;
  /** Between answers to one prompt: 0, they are independent; 1, they are all alike. */
  readonly correlation: number;
  /** Of what prompts change by, each in its own way, from one window to the next. */
  readonly drift: number;
  /** Nothing was measured: each prompt has one answer a window. */
  readonly isAssumed: boolean;
}

const assumedCorrelation = 0.9;

/** The variation within a rate and a correlation that are given. */
export function assumedVariation(rate: number, correlation = assumedCorrelation): Variation {
  const withinVariance = (1 - correlation) * rate * (1 - rate);
  return { rate, withinVariance, correlation, drift: 0, isAssumed: true };
}

/**
 * How prompts vary within and between two windows, from hits and answers by prompt.
 * @returns null when a window has no answer.
 */
export function variationOf(
  before: ReadonlyMap<number, Cluster>,
  after: ReadonlyMap<number, Cluster>,
): Variation | null {
  const sides = [before, after].map((side) =>
    [...side.values()].filter(({ denominator }) => denominator > 0),
  );
  if (sides.some((side) => side.length === 0)) return null;
  const all = sides.flat();
  const answers = sumBy(all, ({ denominator }) => denominator);
  const rate = sumBy(all, ({ numerator }) => numerator) / answers;
  const repeated = sumBy(all, ({ denominator }) => denominator - 1);
  if (repeated === 0) return assumedVariation(rate);
  const withinVariance =
    sumBy(all, ({ numerator: hits, denominator: n }) => (hits * (n - hits)) / n) / repeated;
  const spread = rate * (1 - rate);
  const correlation = spread === 0 ? 0 : clamped(1 - withinVariance / spread);
  const common = [...before].flatMap(([prompt, one]) => {
    const two = after.get(prompt);
    if (two === undefined || one.denominator === 0 || two.denominator === 0) return [];
    return [[one, two] as const];
  });
  const differences = common.map(
    ([one, two]) => two.numerator / two.denominator - one.numerator / one.denominator,
  );
  // What sampling alone adds to the variance of these differences.
  const sampled = ([one, two]: (typeof common)[number]) =>
    withinVariance * (1 / one.denominator + 1 / two.denominator);
  const drift = Math.max(0, sampleVariance(differences) - meanOf(common.map(sampled)));
  return { rate, withinVariance, correlation, drift, isAssumed: false };
}

/** The variance of a prompt's change when it is `change`, with so many answers a window. */
function changeVariance(
  { withinVariance, correlation, drift }: Variation,
  { answersPerPrompt, change }: { readonly answersPerPrompt: number; readonly change: number },
): number {
  const within = (2 * withinVariance) / answersPerPrompt;
  return within + drift + correlation * change * (1 - change);
}

/** How far a change must exceed its error to be seen with probability `power`. */
function distanceOf(prompts: number, power: number): number {
  return criticalT(0.05, prompts - 1) + criticalT(2 * (1 - power), prompts - 1);
}

/** The most prompts that are planned. */
const plannedPromptsMax = 1_000_000;

/**
 * The least number of prompts that shows a change, with so many answers a prompt and window.
 * @param power how probable it is that the change is seen, above .5 and below 1.
 * @returns null: more than `plannedPromptsMax`.
 */
export function promptsFor(
  variation: Variation,
  asked: { readonly answersPerPrompt: number; readonly change: number; readonly power: number },
): number | null {
  const { change, power } = asked;
  return leastPrompts(changeVariance(variation, asked) / change ** 2, power);
}

/**
 * The same for ranks and shares, from the last change of the account.
 * @param variance of that change, times its effective prompts.
 */
export function promptsForVariance(
  variance: number,
  { change, power }: { readonly change: number; readonly power: number },
): number | null {
  return leastPrompts(variance / change ** 2, power);
}

/** The least m ≥ 6 with m ≥ (t + t_power)² · ratio; both t fall as m rises, so halving finds it. */
function leastPrompts(ratio: number, power: number): number | null {
  const isEnough = (prompts: number) => prompts >= distanceOf(prompts, power) ** 2 * ratio;
  if (!isEnough(plannedPromptsMax)) return null;
  let [low, high] = [effectivePromptsMin - 1, plannedPromptsMax];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The least change that so many prompts show; above 1: none. */
export function leastChange(
  variation: Variation,
  asked: { readonly answersPerPrompt: number; readonly prompts: number; readonly power: number },
): number {
  const { answersPerPrompt, prompts, power } = asked;
  const { withinVariance, correlation, drift } = variation;
  const q = distanceOf(prompts, power) ** 2;
  const constant = q * ((2 * withinVariance) / answersPerPrompt + drift);
  const linear = q * correlation;
  const square = prompts + linear;
  return (linear + Math.sqrt(linear * linear + 4 * square * constant)) / (2 * square);
}

/** The least change of a rank or a share that so many prompts show; see promptsForVariance. */
export function leastChangeOf(variance: number, prompts: number, power: number): number {
  return distanceOf(prompts, power) * Math.sqrt(variance / prompts);
}

const clamped = (value: number) => Math.min(1, Math.max(0, value));

function sumBy<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + of(item), 0);
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumBy(values, (value) => value) / values.length;
}

/** The harmonic mean of clusters' answers: what a mean of their values rests on. */
export function harmonicMean(clusters: readonly Cluster[]): number {
  return clusters.length / sumBy(clusters, ({ denominator }) => 1 / denominator);
}

function sampleVariance(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  return sumBy(values, (value) => (value - mean) ** 2) / (values.length - 1);
}
