import { adjusted, changeOf, effectiveOf, estimated, type Kind, type Part } from "./estimates.ts";
import type { Filters, OracleAccount, Range } from "./model.ts";
import { answersThatCount, type Reading, read } from "./oracle.ts";

/** Filters with the instants that their range was made from. */
export interface Asked extends Range {
  readonly filters: Filters;
}

/** What a question is compared with. */
export interface Comparison {
  readonly after: Asked;
  readonly before: Asked | null;
  readonly threshold: number;
}

const dayMs = 86_400_000;

/** What one prompt's answers add to a value. */
export type Adds = (readings: readonly Reading[]) => Part;

/** One side of a comparison. */
export interface Side {
  readonly asked: Asked;
  readonly readings: readonly Reading[];
}

/** The answers of a side, read by the workspace. */
export function sideOf(account: OracleAccount, asked: Asked): Side {
  const answers = answersThatCount(account, asked.filters, asked);
  return { asked, readings: answers.map((answer) => read(answer, account.workspace)) };
}

/** What each prompt adds. */
export const parts = (readings: readonly Reading[], prompts: readonly string[], adds: Adds) =>
  prompts.map((id) => adds(readings.filter(({ promptId }) => promptId === id)));

/** The prompts that readings answer. */
export const promptsIn = (...sides: readonly (readonly Reading[])[]) => [
  ...new Set(sides.flatMap((readings) => readings.map(({ promptId }) => promptId))),
];

/** A change whose adjusted p is not known yet. */
interface Draft {
  value: number | null;
  interval: object | null;
  p: number | null;
  adjustedP: number | null;
  verdict: string | null;
}

/** Compares values, and adjusts what was tested in the end. */
export class Tests {
  readonly #tested: (() => void)[] = [];
  readonly #ps: number[] = [];
  readonly #threshold: number;
  readonly #isLong: boolean;
  readonly #discontinuous: readonly string[];

  constructor(asked: Comparison, discontinuous: readonly string[]) {
    this.#discontinuous = discontinuous;
    const sides = asked.before === null ? [asked.after] : [asked.after, asked.before];
    this.#isLong = sides.every(({ fromMs, toMs }) => toMs - fromMs >= 7 * dayMs);
    this.#threshold = asked.threshold;
  }

  compared(before: readonly Reading[], after: readonly Reading[], [kind, adds]: [Kind, Adds]) {
    const prompts = promptsIn(before, after);
    const common = promptsIn(before).filter((id) => promptsIn(after).includes(id)).length;
    const own = [before, after].map((side) => parts(side, promptsIn(side), adds));
    const [first, second] = own.map((each) => estimated(each, kind).value);
    const verdict = this.#isLong ? "insufficient" : null;
    const change: Draft = { value: null, interval: null, p: null, adjustedP: null, verdict };
    if (typeof first !== "number" || typeof second !== "number") return change;
    change.value = second - first;
    if (common < 5) return change;
    const found = changeOf(parts(before, prompts, adds), parts(after, prompts, adds));
    Object.assign(change, found);
    const isEnough = own.every((each) => (effectiveOf(each, kind) ?? 0) >= 10);
    const place = this.#ps.push(found.p) - 1;
    this.#tested.push(() => {
      change.adjustedP = adjusted(this.#ps)[place] ?? null;
      if (!this.#isLong || !isEnough) return;
      const isLarge = kind === "rank" || Math.abs(found.value) >= this.#threshold - 1e-12;
      const hasMoved = isLarge && (change.adjustedP ?? 1) <= 0.05;
      change.verdict = hasMoved ? "moved" : "within-noise";
      const isOfThose = ({ provider }: Reading) => this.#discontinuous.includes(provider);
      if ([...before, ...after].some(isOfThose)) change.verdict = "discontinuous";
    });
    return change;
  }

  end(): number {
    for (const each of this.#tested) each();
    return this.#ps.length;
  }
}

/** What a reply says of the side that it is compared with. */
export function comparedOf(
  account: OracleAccount,
  side: Side,
  discontinuous: readonly string[],
): object {
  const { readings, asked } = side;
  const [from, to] = [asked.fromMs, asked.toMs].map((ms) => new Date(ms).toISOString());
  const timeRange = { from, to };
  const counts = { answers: readings.length, prompts: promptsIn(readings).length };
  return { timeRange, ...counts, empty: emptyOf(account, side), discontinuous };
}

/** The providers of random answers, in the order of the interface's list. */
export const providersInOrder = ["GEMINI", "OPENAI", "GROK", "GOOGLE_AI_OVERVIEW"];

/** Providers that are known to have answered by other models, or on other surfaces. */
export function discontinuousIn(before: Side | null, after: Side): readonly string[] {
  const known = (side: Side, provider: string, kind: "model" | "surface") => {
    const own = side.readings.filter((reading) => reading.provider === provider);
    const values = own.flatMap((reading) => (reading[kind] === null ? [] : [reading[kind]]));
    return [...new Set(values)].sort().join();
  };
  if (before === null) return [];
  return providersInOrder.filter((provider) =>
    (["model", "surface"] as const).some((kind) => {
      const [first, second] = [before, after].map((side) => known(side, provider, kind));
      return first !== "" && second !== "" && first !== second;
    }),
  );
}

/** What kind of nothing a side is; null: it is something. */
export function emptyOf(account: OracleAccount, { asked, readings }: Side, isUncited = false) {
  const isInformative = readings.some(({ mentioned }) => mentioned.length > 0);
  if (isInformative && !isUncited) return null;
  const everywhere = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const noFilters = { timeRange: asked.filters.timeRange };
  const times = answersThatCount(account, noFilters, everywhere).map(({ at }) => at);
  if (times.length === 0) return { reason: "noAnswers", first: null, last: null };
  const sorted = times.toSorted((left, right) => left - right);
  const dateTime = (ms: number | undefined) => new Date(ms ?? 0).toISOString();
  const instants = { first: dateTime(sorted[0]), last: dateTime(sorted.at(-1)) };
  const has = (filters: Filters, range: Range) =>
    answersThatCount(account, filters, range).length > 0;
  const reason = () => {
    if (readings.length > 0) return isUncited ? "uncited" : "uninformative";
    if (!has(noFilters, asked)) return "outsideRange";
    return has(asked.filters, everywhere) ? "notTrackedThen" : "filteredOut";
  };
  return { reason: reason(), ...instants };
}
