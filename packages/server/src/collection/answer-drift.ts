import type { ReadJobResult } from "./kept-replies.ts";
import type { ModelReading, PartReading } from "./store/collection-store.ts";

/**
 * Fewer answers tell nothing: with 30, a share of 0.9 falls below a quarter of it by chance once in
 * more than a million sweeps.
 */
export const answersMin = 30;
/** A parser that has lost a list loses nearly all of it; what models do changes by less. */
const fallMax = 1 / 4;
/**
 * How many the sweeps before let expect at least: of 8 that are expected, fewer than 2 are found by
 * chance in 3 of 1,000 sweeps, and of fewer more often.
 */
const expectedMin = 8;
/** Of sweeps before: more would compare with what vendors did weeks ago. */
export const sweepsBefore = 5;
/** As many as are told in one line of a terminal or a page. */
const warningsMax = 10;

/** Sums up what answers of a part are like. */
export class PartReader {
  readonly #warnings = new Map<string, number>();
  readonly #models = new Map<string | null, ModelReading>();

  /** Adds an answer, as it is recorded. */
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

  /** What was added so far. */
  get reading(): PartReading {
    const warnings = [...this.#warnings].map(([reason, answers]) => ({ reason, answers }));
    return {
      warnings: warnings.toSorted((a, b) => b.answers - a.answers).slice(0, warningsMax),
      models: [...this.#models.values()],
    };
  }
}

/**
 * Why the answers of a part look wrong beside those of the sweeps before, model by model; empty:
 * they do not. It knows no vendor's fields, so that it finds what a parser overlooks. It compares
 * all answers, not only those that searched: a reply whose grounding is renamed does not say that
 * it searched.
 * @param before the sweeps before, each by model.
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
 * Whether a part that was held back has been compared again: kept replies expire or get damaged,
 * and the few that are left would tell nothing. True for a part that was not held.
 * @param held what its answers were like when it was held.
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
