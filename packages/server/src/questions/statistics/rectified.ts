import { type Estimate, estimate, flagsOf } from "./estimates.ts";
import { type Cluster, clusterMoments, correlationOf, varianceOf } from "./moments.ts";

/** What one prompt adds to a rate whose answers were labelled in part: whole numbers. */
export interface LabelledCluster {
  readonly answers: number;
  /** Of them, those that extraction counts. */
  readonly hits: number;
  /** Answers with a label. */
  readonly labelled: number;
  /** Of those, the ones that the label counts and extraction does not. */
  readonly missed: number;
  /** And the ones that extraction counts and the label does not. */
  readonly wrong: number;
}

/** A rate as labels would have it, with an interval for extraction's errors too. */
export interface Rectified extends Pick<Estimate, "value" | "interval" | "flags"> {
  readonly labelled: number;
  readonly labelledPrompts: number;
  /** The lesser of those of the answers and those of the labelled answers. */
  readonly effectivePrompts: number;
  readonly missed: number;
  readonly wrong: number;
  /** (missed − wrong) / labelled: what extraction's errors take from the rate; null: no labels. */
  readonly difference: number | null;
}

/**
 * The rate that labels of all answers would give, from labels of some of them, which were chosen at
 * random (prediction-powered inference: Angelopoulos et al. 2023). Where an answer has a label, it
 * counts; what the labels correct is carried over to the answers without one. The rate so far, the
 * share of missed and that of wrong answers each have the interval of a rate, by prompts; they are
 * added by their squares, with the correlation of both over prompts (Zou and Donner 2008).
 */
export function rectified(prompts: readonly LabelledCluster[]): Rectified {
  const known = prompts.map(({ answers, hits, missed, wrong }) => {
    return { numerator: hits + missed - wrong, denominator: answers };
  });
  const labels = (count: (prompt: LabelledCluster) => number): readonly Cluster[] =>
    prompts.map((prompt) => ({ numerator: count(prompt), denominator: prompt.labelled }));
  const rate = estimate(known, "rate");
  const missed = estimate(
    labels((prompt) => prompt.missed),
    "rate",
  );
  const wrong = estimate(
    labels((prompt) => prompt.wrong),
    "rate",
  );
  const errors = labels((prompt) => prompt.missed - prompt.wrong);
  const labelled = missed.denominator;
  const effectivePrompts = Math.min(rate.effectivePrompts, missed.effectivePrompts);
  const counts = {
    labelled,
    labelledPrompts: prompts.filter((prompt) => prompt.labelled > 0).length,
    effectivePrompts,
    missed: missed.numerator,
    wrong: wrong.numerator,
  };
  if (rate.value === null || missed.value === null || wrong.value === null) {
    const flags = flagsOf(0, null);
    return { ...counts, difference: null, value: null, interval: null, flags };
  }
  const difference = (missed.numerator - wrong.numerator) / labelled;
  // Of all answers, those without a label.
  const unlabelled = Math.max(0, 1 - labelled / rate.denominator);
  const sum = rate.value + unlabelled * difference;
  const distances = distancesOf(rate, unlabelled, {
    missed,
    wrong,
    correlation: correlationOf(known, errors),
  });
  const isAlike =
    varianceOf(clusterMoments(known)) === 0 && varianceOf(clusterMoments(errors)) === 0;
  return {
    ...counts,
    difference,
    value: within(sum),
    interval: distances && {
      low: within(sum - distances.below),
      high: within(sum + distances.above),
    },
    flags: flagsOf(effectivePrompts, isAlike ? 0 : null),
  };
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value));
}

interface Errors {
  readonly missed: Estimate;
  readonly wrong: Estimate;
  readonly correlation: number;
}

/** How far the ends lie from the value; null: too few prompts. */
function distancesOf(rate: Estimate, unlabelled: number, { missed, wrong, correlation }: Errors) {
  const [own, more, less] = [rate, missed, wrong].map(sidesOf);
  if (!own || !more || !less) return null;
  const together = (a: number, b: number) =>
    Math.sqrt(Math.max(0, a * a + 2 * correlation * a * b + b * b));
  return {
    below: together(own.below, unlabelled * Math.hypot(more.below, less.above)),
    above: together(own.above, unlabelled * Math.hypot(more.above, less.below)),
  };
}

function sidesOf({ value, interval }: Estimate) {
  if (value === null || interval === null) return null;
  return { below: value - interval.low, above: interval.high - value };
}
