import type { ReadJobResult } from "./kept-replies.ts";
import type { ModelReading, PartReading } from "./store/collection-store.ts";

/**
 * Fewer answers are inconclusive: with 30, a share of 0.9 falls below a quarter of itself by chance
 * once in more than a million sweeps.
 */
export const answersMin = 30;
/** A parser that lost a list loses nearly all of it; models change by less. */
const fallMax = 1 / 4;
/**
 * The least expected number by earlier sweeps: of 8 expected, fewer than 2 are found by chance in 3
 * of 1,000 sweeps; of fewer, more often.
 */
const expectedMin = 8;
/** The number of earlier sweeps: more would compare with what vendors did weeks ago. */
export const sweepsBefore = 5;
/** As many as fit a line of a terminal or a page. */
const warningsMax = 10;

/** Sums up the answers of a part, for the comparison with earlier sweeps. */
export class PartReader {
  readonly #warnings = new Map<string, number>();
  readonly #models = new Map<string | null, ModelReading>();

  /** Adds an answer. */
  add({ answer, collected }: ReadJobResult): void {
    for (const { reason } of collected?.warnings ?? []) {
      this.#warnings.set(reason, (this.#warnings.get(reason) ?? 0) + 1);
    }
    if (collected === null || answer.outcome !== "answered") return;
    const { model } = answer;
    const sums = this.#models.get(model) ?? { model, answers: 0, citing: 0, priced: 0, length: 0 };
    const isPriced = answer.cost !== null && collected.usage.isReported;
    this.#models.set(model, {
      model,
      answers: sums.answers + 1,
      citing: sums.citing + Number(answer.citations.some(({ cited }) => cited)),
      priced: sums.priced + Number(isPriced),
      length: sums.length + answer.text.length,
    });
  }

  /** The sums of the answers so far; the ten most frequent warnings. */
  get reading(): PartReading {
    const warnings = [...this.#warnings].map(([reason, answers]) => ({ reason, answers }));
    return {
      warnings: warnings.toSorted((a, b) => b.answers - a.answers).slice(0, warningsMax),
      models: [...this.#models.values()],
    };
  }
}

/**
 * Compares the answers of a part with those of earlier sweeps, model by model. It knows no vendor's
 * fields, so that it finds what a parser overlooks. It compares all answers, not only those with
 * searches: a reply whose grounding field was renamed does not show that it searched.
 * @param before earlier sweeps, each by model.
 * @returns why the answers look wrong, for people; empty: they do not.
 */
export function driftOf(
  now: readonly ModelReading[],
  before: readonly (readonly ModelReading[])[],
): readonly string[] {
  return now.flatMap((reading) => {
    const { model, answers } = reading;
    const earlier = before.flat().filter((each) => each.model === model);
    const sum = (of: (each: ModelReading) => number) =>
      earlier.reduce((total, each) => total + of(each), 0);
    const usual = sum((each) => each.answers);
    if (answers < answersMin || usual < answersMin) return [];
    const of = `Of ${answers} answers${model === null ? "" : ` of ${model}`}`;
    const hasFallen = (each: (one: ModelReading) => number) => {
      const expected = sum(each) / usual;
      return each(reading) / answers < expected * fallMax && expected * answers >= expectedMin;
    };
    const shares = (
      [
        ["citing", "cite a page"],
        ["priced", "have a cost"],
      ] as const
    ).flatMap(([field, does]) => {
      if (!hasFallen((each) => each[field])) return [];
      const [found, share] = [reading[field], percent(sum((each) => each[field]) / usual)];
      return [`${of}, ${found} ${does}; in the sweeps before, ${share} did.`];
    });
    if (!hasFallen(({ length }) => length)) return shares;
    const [length, earlierLength] = [reading.length / answers, sum((each) => each.length) / usual];
    const lengths = [length, earlierLength].map(Math.round);
    return [
      ...shares,
      `${of}, the mean length is ${lengths[0]} characters; in the sweeps before, ${lengths[1]}.`,
    ];
  });
}

/**
 * Whether enough answers of a part that was held back could be compared again: stored replies
 * expire or get damaged, and a few are inconclusive. True for a part that was not held back.
 * @param held its answers when it was held back.
 */
export function isComparedAgain(
  now: readonly ModelReading[],
  held: { readonly models: readonly ModelReading[] } | null,
): boolean {
  const answersOf = (models: readonly ModelReading[]) =>
    models.reduce((total, { answers }) => total + answers, 0);
  if (held === null) return true;
  return answersOf(now) >= Math.max(answersMin, answersOf(held.models) / 2);
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
