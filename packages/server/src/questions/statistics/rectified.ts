import { type Estimate, estimate, estimateOf, flagsOf } from "./estimates.ts";
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
  /**
   * What extraction's errors take from the rate: (missed − wrong) / labelled of each prompt, by how
   * many answers the prompt has; null: no labels.
   */
  readonly difference: number | null;
}

/**
 * The rate that labels of all answers would give, from labels of some of them, which were chosen at
 * random of each prompt (prediction-powered inference: Angelopoulos et al. 2023). Where an answer
 * has a label, it counts; what the labels correct is carried over to the answers without one. The
 * labels of a prompt stand for all of its answers, so that it does not matter how many each prompt
 * has. The rate so far, the share of missed and that of wrong answers each have the interval of a
 * rate, by prompts; they are added by their squares, with the correlation of both over prompts (Zou
 * and Donner 2008).
 */
export function rectified(prompts: readonly LabelledCluster[]): Rectified {
  const known = prompts.map(({ answers, hits, missed, wrong }) => {
    return { numerator: hits + missed - wrong, denominator: answers };
  });
  const weights = weightsOf(prompts);
  const weighted = (count: (prompt: LabelledCluster) => number): readonly Cluster[] =>
    prompts.map((prompt, place) => {
      const weight = weights[place] ?? 0;
      return { numerator: weight * count(prompt), denominator: weight * prompt.labelled };
    });
  const labelled = sumOf(prompts, (prompt) => prompt.labelled);
  const estimated = (count: (prompt: LabelledCluster) => number) =>
    estimateOf(clusterMoments(weighted(count)), "rate", labelled);
  const rate = estimate(known, "rate");
  const missed = estimated((prompt) => prompt.missed);
  const wrong = estimated((prompt) => prompt.wrong);
  const errors = weighted((prompt) => prompt.missed - prompt.wrong);
  const effectivePrompts = Math.min(rate.effectivePrompts, missed.effectivePrompts);
  const counts = {
    labelled,
    labelledPrompts: prompts.filter((prompt) => prompt.labelled > 0).length,
    effectivePrompts,
    missed: sumOf(prompts, (prompt) => prompt.missed),
    wrong: sumOf(prompts, (prompt) => prompt.wrong),
  };
  if (rate.value === null || missed.value === null || wrong.value === null) {
    const flags = flagsOf(0, null);
    return { ...counts, difference: null, value: null, interval: null, flags };
  }
  const difference = (missed.numerator - wrong.numerator) / missed.denominator;
  // What is carried over to the answers without a label, which are so many of all.
  const carried = difference - (counts.missed - counts.wrong) / rate.denominator;
  const unlabelled = Math.max(0, 1 - labelled / rate.denominator);
  const sum = rate.value + carried;
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

/** Sums of weights stay below, so that their squares are exact. */
const weightsMax = 2 ** 26;

/**
 * How many answers a label of each prompt stands for, as whole numbers of one scale; 0: the prompt
 * has no label. The scale is exact where a common multiple of the numbers of labels is small.
 */
function weightsOf(prompts: readonly LabelledCluster[]): readonly number[] {
  const own = prompts.filter(({ labelled }) => labelled > 0);
  const most = Math.max(
    1,
    Math.floor(
      weightsMax /
        Math.max(
          1,
          sumOf(own, (each) => each.answers),
        ),
    ),
  );
  const exact = own.reduce((multiple, { labelled }) => {
    return multiple > most ? multiple : (multiple * labelled) / divisorOf(multiple, labelled);
  }, 1);
  const scale = Math.min(exact, most);
  return prompts.map(({ answers, labelled }) => {
    return labelled === 0 ? 0 : Math.max(1, Math.round((scale * answers) / labelled));
  });
}

function divisorOf(first: number, second: number): number {
  return second === 0 ? first : divisorOf(second, first % second);
}

function sumOf(
  prompts: readonly LabelledCluster[],
  count: (prompt: LabelledCluster) => number,
): number {
  return prompts.reduce((sum, prompt) => sum + count(prompt), 0);
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
