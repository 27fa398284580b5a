import {
  adjusted,
  type Both,
  type Change,
  changeOf,
  isCommon,
  type Kind,
  type Part,
} from "./estimates.ts";
import type { Excluded, Filters, OracleAccount, Range } from "./model.ts";
import { answersThatCount, type Reading, read } from "./oracle.ts";

/** Filters with the instants that their range was made from. */
export interface Asked extends Range {
  readonly filters: Filters;
  /** Undefined: nothing is left out. */
  readonly exclude: Excluded | undefined;
}

/** What a question is compared with. */
export interface Comparison {
  readonly after: Asked;
  readonly before: Asked | null;
  /** The least change that counts, of fractions; and the least weight of swapped models. */
  readonly threshold: number;
  /** The least change of mean ranks that counts. */
  readonly rankThreshold: number;
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
  const answers = answersThatCount(account, asked.filters, asked, asked);
  return { asked, readings: answers.map((answer) => read(answer, account.workspace)) };
}

/** What the answers to each prompt add. */
export const parts = (readings: readonly Reading[], adds: Adds): readonly Part[] =>
  [...Map.groupBy(readings, ({ promptId }) => promptId).values()].map(adds);

/** The prompts that readings answer. */
export const promptsIn = (...sides: readonly (readonly Reading[])[]) => [
  ...new Set(sides.flatMap((readings) => readings.map(({ promptId }) => promptId))),
];

/** What each of some groups of answers adds on both sides. */
function bothOf(
  sides: Both<readonly Reading[]>,
  keyOf: (reading: Reading) => string,
  adds: Adds,
): ReadonlyMap<string, Both<Part>> {
  const [before, after] = sides.map((readings) => Map.groupBy(readings, keyOf));
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return new Map(
    [...keys].map((key) => [key, [adds(before?.get(key) ?? []), adds(after?.get(key) ?? [])]]),
  );
}

/** The days in UTC with answers to at least four fifths of the side's prompts. */
function daysOf(readings: readonly Reading[], adds: Adds): readonly Part[] {
  const all = promptsIn(readings).length;
  return [...Map.groupBy(readings, ({ at }) => Math.floor(at / dayMs)).values()]
    .filter((own) => promptsIn(own).length * 5 >= all * 4)
    .map(adds);
}

function changeBetween(before: readonly Reading[], after: readonly Reading[], adds: Adds) {
  const prompts = bothOf([before, after], ({ promptId }) => promptId, adds);
  const isOfCommon = ({ promptId }: Reading) => isCommon(prompts.get(promptId) ?? nothing);
  const pairs = bothOf(
    [before.filter(isOfCommon), after.filter(isOfCommon)],
    ({ provider, region }) => JSON.stringify([provider, region]),
    adds,
  );
  return changeOf({
    prompts: [...prompts.values()],
    pairs: [...pairs.values()],
    days: [daysOf(before, adds), daysOf(after, adds)],
  });
}

const nothing: Both<Part> = [
  { a: 0, b: 0 },
  { a: 0, b: 0 },
];

/** A change whose adjusted p is not known yet. */
interface Draft extends Change {
  adjustedP: number | null;
  verdict: string | null;
  continuing?: Draft | null;
}

/** A change that is one of the reply's tests. */
interface Tested {
  readonly change: Draft;
  /** Its p; 1 where it is below the threshold. */
  readonly p: number;
}

/** Compares values, and adjusts what was tested in the end. */
export class Tests {
  readonly #tested: Tested[] = [];
  readonly #asked: Comparison;
  readonly #isLong: boolean;

  constructor(asked: Comparison) {
    const sides = asked.before === null ? [asked.after] : [asked.after, asked.before];
    this.#isLong = sides.every(({ fromMs, toMs }) => toMs - fromMs >= 7 * dayMs);
    this.#asked = asked;
  }

  /** The change of one value in one group, judged in the order of rule 6. */
  compared(before: readonly Reading[], after: readonly Reading[], [kind, adds]: [Kind, Adds]) {
    const change = draftOf(before, after, adds);
    if (change.value === null) return { ...change, verdict: "insufficient" };
    if (!this.#isLong) return change;
    if (change.p === null) return { ...change, verdict: "insufficient" };
    const weight = swappedIn(before, after);
    if (weight === 0 || weight < this.#asked.threshold - 1e-12) return this.#test(change, kind);
    change.verdict = "discontinuous";
    const same = providersInOrder.filter((each) => swapOf(each, before, after) === 0);
    const stays = ({ provider }: Reading) => same.includes(provider);
    const continuing = draftOf(before.filter(stays), after.filter(stays), adds);
    if (continuing.value === null) return { ...change, continuing: null };
    if (continuing.p !== null) this.#test(continuing, kind);
    else continuing.verdict = "insufficient";
    return { ...change, continuing };
  }

  #test(change: Draft, kind: Kind): Draft {
    const { threshold, rankThreshold } = this.#asked;
    const least = kind === "rank" ? rankThreshold : threshold;
    const isBelow = Math.abs(change.parts?.likeForLike ?? 0) < least - 1e-12;
    this.#tested.push({ change, p: isBelow ? 1 : (change.p ?? 1) });
    return change;
  }

  end(): number {
    const ps = adjusted(this.#tested.map(({ p }) => p));
    for (const [place, { change }] of this.#tested.entries()) {
      change.adjustedP = ps[place] ?? 1;
      change.verdict = change.adjustedP <= 0.05 ? "moved" : "within-noise";
    }
    return ps.length;
  }
}

function draftOf(before: readonly Reading[], after: readonly Reading[], adds: Adds): Draft {
  const { value, parts, effectivePrompts, interval, p, flags } = changeBetween(before, after, adds);
  const open = { adjustedP: null, verdict: null };
  return { value, parts, effectivePrompts, interval, p, ...open, flags };
}

/** TV of a provider: how much of its answers other models, or other surfaces, gave. */
function swapOf(provider: string, before: readonly Reading[], after: readonly Reading[]): number {
  const swapped = (["model", "surface"] as const).map((kind) => {
    const [first, second] = [before, after].map((readings) => {
      const own = readings.filter((reading) => reading.provider === provider);
      return own.flatMap((reading) => reading[kind] ?? []);
    });
    if (first === undefined || second === undefined) return 0;
    if (first.length === 0 || second.length === 0) return 0;
    const share = (known: readonly string[], name: string) =>
      known.filter((each) => each === name).length / known.length;
    const differences = [...new Set([...first, ...second])].map((name) =>
      Math.abs(share(second, name) - share(first, name)),
    );
    return differences.reduce((sum, each) => sum + each, 0) / 2;
  });
  return Math.max(...swapped);
}

/** How much of all answers other models or surfaces gave: the most that they can move a rate. */
export function swappedIn(before: readonly Reading[], after: readonly Reading[]): number {
  const share = (readings: readonly Reading[], provider: string) =>
    readings.filter((reading) => reading.provider === provider).length / readings.length;
  return providersInOrder
    .map((provider) => {
      const weight = (share(before, provider) + share(after, provider)) / 2;
      return weight * swapOf(provider, before, after);
    })
    .reduce((sum, each) => sum + each, 0);
}

/** What a reply says of the side that it is compared with. */
export function comparedOf(account: OracleAccount, side: Side, after: Side): object {
  const { readings, asked } = side;
  const [from, to] = [asked.fromMs, asked.toMs].map((ms) => new Date(ms).toISOString());
  const timeRange = { from, to };
  const counts = { answers: readings.length, prompts: promptsIn(readings).length };
  const discontinuous = discontinuousIn(side, after);
  return { timeRange, ...counts, empty: emptyOf(account, side), discontinuous };
}

/** The providers of random answers, in the order of the interface's list. */
export const providersInOrder = ["GEMINI", "OPENAI", "GROK", "GOOGLE_AI_OVERVIEW"];

/** Providers of whose answers other models, or other surfaces, gave a part. */
function discontinuousIn(before: Side, after: Side): readonly string[] {
  return providersInOrder.filter(
    (provider) => swapOf(provider, before.readings, after.readings) > 0,
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
  const has = (filters: Filters, range: Range, exclude?: Excluded) =>
    answersThatCount(account, filters, range, { exclude }).length > 0;
  const reason = () => {
    if (readings.length > 0) return isUncited ? "uncited" : "uninformative";
    if (!has(noFilters, asked)) return "outsideRange";
    return has(asked.filters, everywhere, asked.exclude) ? "notTrackedThen" : "filteredOut";
  };
  return { reason: reason(), ...instants };
}
