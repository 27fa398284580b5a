import { critical, probabilityBeyond } from "./student.ts";

/** What a prompt, a day, or a pair of provider and region adds: its A and B of design/insights. */
export interface Part {
  readonly a: number;
  readonly b: number;
}

/** What a value is: a fraction, or a mean rank. */
export type Kind = "rate" | "rank";

/** Fewer effective prompts say nothing of chance. */
export const promptsMin = 6;

/** Fewer days on a side say nothing of days. */
const daysMin = 5;

/** A and B of all parts together. */
export const total = (parts: readonly Part[]): Part => ({
  a: parts.reduce((sum, { a }) => sum + a, 0),
  b: parts.reduce((sum, { b }) => sum + b, 0),
});

/** A/B of all parts together; null: there is no B. */
export function ratioOf(parts: readonly Part[]): number | null {
  const { a, b } = total(parts);
  return b === 0 ? null : a / b;
}

/** e(x): as many equal items would tell as much; halves are rounded up. */
export function effective(items: readonly number[]): number {
  const whole = items.map(BigInt);
  const sum = whole.reduce((all, each) => all + each, 0n);
  const squares = whole.reduce((all, each) => all + each * each, 0n);
  return sum === 0n ? 0 : Number((2n * sum * sum + squares) / (2n * squares));
}

/**
 * V: m/(m−1)·Σ_j (Σ_s w_s·u_sj)², from the same prompts in the same order on each side, with whole
 * weights. It stays a fraction of whole numbers until the end, and so is 0 only when it is.
 */
export function varianceOf(
  sides: readonly (readonly Part[])[],
  weights: readonly number[],
): number {
  const m = sides[0]?.length ?? 0;
  const totals = sides.map(total).map(({ a, b }) => ({ a: BigInt(a), b: BigInt(b) }));
  const denominator = totals.reduce((product, { b }) => product * b * b, 1n);
  const squares = Array.from({ length: m }, (_, j) => {
    const numerator = sides.reduce((sum, side, s) => {
      const [part, all] = [side[j] ?? { a: 0, b: 0 }, totals[s] ?? { a: 0n, b: 1n }];
      // u = (A_j − R·B_j)/B = (A_j·B − A·B_j)/B²
      const residual = BigInt(part.a) * all.b - all.a * BigInt(part.b);
      return sum + (BigInt(weights[s] ?? 0) * residual * denominator) / (all.b * all.b);
    }, 0n);
    return numerator * numerator;
  });
  const sum = squares.reduce((all, square) => all + square, 0n);
  return (m / (m - 1)) * (Number(sum) / Number(denominator * denominator));
}

/** A value of prompts and what is said of it: rules 1 to 4. */
export function estimated(prompts: readonly Part[], kind: Kind) {
  const parts = prompts.filter(({ b }) => b > 0);
  const { a: numerator, b: denominator } = total(parts);
  const effectivePrompts = effective(parts.map(({ b }) => b));
  const isEnough = effectivePrompts >= promptsMin;
  const variance = isEnough ? varianceOf([parts], [1]) : null;
  const interval = variance === null ? null : intervalOf(parts, kind, variance);
  const flags = [
    ...(isEnough ? [] : ["insufficient"]),
    ...(variance === 0 ? ["noVariation"] : []),
    ...(effectivePrompts < 50 ? ["exploratory"] : []),
  ];
  return { value: ratioOf(parts), numerator, denominator, effectivePrompts, interval, flags };
}

function intervalOf(parts: readonly Part[], kind: Kind, variance: number) {
  const r = ratioOf(parts) ?? 0;
  const c = critical(effective(parts.map(({ b }) => b)) - 1);
  if (kind === "rank") {
    if (variance === 0) return null;
    const factor = Math.exp((c * Math.sqrt(variance)) / (r - 1));
    return { low: 1 + (r - 1) / factor, high: 1 + (r - 1) * factor };
  }
  const n = answersOf(parts, variance);
  const middle = r + (c * c) / (2 * n);
  const width = c * Math.sqrt((r * (1 - r)) / n + (c * c) / (4 * n * n));
  return { low: (middle - width) / (1 + (c * c) / n), high: (middle + width) / (1 + (c * c) / n) };
}

/** n of rule 3: how many independent answers tell as much. */
export function answersOf(parts: readonly Part[], variance: number): number {
  const { a, b } = total(parts);
  const prompts = effective(parts.map((part) => part.b));
  const n0 = variance === 0 ? prompts : Math.min(b, ((a / b) * (1 - a / b)) / variance);
  const h = spreadOf(parts);
  if (h < 2) return Math.min(n0, prompts);
  const ratio = critical(prompts - 1) / critical(h - 1);
  return Math.min(n0, Math.max(prompts, n0 * ratio * ratio));
}

/** h of rule 3: over how many prompts hits and misses are spread. */
export function spreadOf(parts: readonly Part[]): number {
  const lists = [parts.map(({ b }) => b), parts.map(({ a }) => a), parts.map(({ a, b }) => b - a)];
  return Math.min(...lists.map(effective));
}

/** Both sides of one thing: before, after. */
export type Both<Item> = readonly [Item, Item];

/** All that rule 5 looks at. */
export interface Sides {
  /** Every prompt. */
  readonly prompts: readonly Both<Part>[];
  /** Every pair of provider and region, of the prompts with B on both sides. */
  readonly pairs: readonly Both<Part>[];
  /** The days that count, of the side's totals. */
  readonly days: Both<readonly Part[]>;
}

/** What rule 5 says of a change. */
export interface Change {
  /** Null: a side has no value. */
  readonly value: number | null;
  /** Null: no prompt is on both sides. */
  readonly parts: {
    readonly likeForLike: number;
    readonly mix: number;
    readonly promptsAdded: number;
    readonly promptsRemoved: number;
  } | null;
  readonly effectivePrompts: number;
  readonly interval: { readonly low: number; readonly high: number } | null;
  /** Null: too few prompts are on both sides. */
  readonly p: number | null;
  readonly flags: readonly string[];
}

/** The change between two sides, like for like: rule 5. */
export function changeOf(sides: Sides): Change {
  const [first, second] = [0, 1].map((side) =>
    ratioOf(sides.prompts.map((each) => partOf(each, side))),
  );
  const nothing = { parts: null, effectivePrompts: 0, interval: null, p: null, flags: [] };
  if (typeof first !== "number" || typeof second !== "number") return { value: null, ...nothing };
  const value = second - first;
  const common = sides.prompts.filter(isCommon);
  if (common.length === 0) return { value, ...nothing };
  const [before, after] = [common.map(([each]) => each), common.map(([, each]) => each)];
  const [r1, r2] = [ratioOf(before) ?? 0, ratioOf(after) ?? 0];
  const mix = mixOf(sides.pairs, (r1 + r2) / 2);
  const likeForLike = r2 - r1 - mix;
  const parts = { likeForLike, mix, promptsAdded: second - r2, promptsRemoved: r1 - first };
  const effectivePrompts = Math.min(
    effective(before.map(({ b }) => b)),
    effective(after.map(({ b }) => b)),
  );
  if (effectivePrompts < promptsMin) return { ...nothing, value, parts, effectivePrompts };
  const variance = varianceOf([before, after], [-1, 1]);
  const byPrompts =
    variance === 0 ? 0 : probabilityBeyond(likeForLike / Math.sqrt(variance), effectivePrompts - 1);
  const differing = common.filter(([x, y]) => x.a * y.b !== y.a * x.b).length;
  const byDays = pByDays(sides, likeForLike);
  const p = Math.min(1, Math.max(byPrompts, 2 ** (1 - differing), byDays ?? 0));
  const margin = critical(effectivePrompts - 1) * Math.sqrt(variance);
  const [low, high] = [likeForLike - margin, likeForLike + margin];
  const stretched = { low: Math.min(low, 0), high: Math.max(high, 0) };
  const interval = variance === 0 ? null : p > 0.05 ? stretched : { low, high };
  const flags = byDays === null ? ["fewDays"] : [];
  return { value, parts, effectivePrompts, interval, p, flags };
}

const partOf = (both: Both<Part>, side: number): Part => both[side] ?? { a: 0, b: 0 };

/** Whether there is B on both sides. */
export const isCommon = ([before, after]: Both<Part>): boolean => before.b > 0 && after.b > 0;

/** M: what other shares of providers and regions alone do. */
function mixOf(pairs: readonly Both<Part>[], mean: number): number {
  if (!pairs.some(isCommon)) return 0;
  const [all1, all2] = [total(pairs.map(([x]) => x)).b, total(pairs.map(([, y]) => y)).b];
  const moves = pairs.map(([x, y]) => {
    const values = [x, y].filter(({ b }) => b > 0).map(({ a, b }) => a / b);
    if (values.length === 0) return 0;
    const own = values.reduce((sum, each) => sum + each, 0) / values.length;
    return (y.b / all2 - x.b / all1) * (own - mean);
  });
  return moves.reduce((sum, each) => sum + each, 0);
}

/** p_d: whether the days of the sides differ by as much anyway; null: there are too few. */
function pByDays({ prompts, days }: Sides, difference: number): number | null {
  const counts = days.map((each) => each.length);
  const least = Math.min(...counts);
  if (least < daysMin) return null;
  const variances = days.map((own, side) => {
    const all = total(prompts.map((each) => partOf(each, side)));
    // v = (A_d − R·B_d)/B = (A_d·B − A·B_d)/B², 0 only when it is.
    const v = own.map(({ a, b }) => (a * all.b - all.a * b) / (all.b * all.b));
    return (own.length / (own.length - 1)) * v.reduce((sum, each) => sum + each * each, 0);
  });
  const variance = variances.reduce((sum, each) => sum + each, 0);
  return variance === 0 ? 0 : probabilityBeyond(difference / Math.sqrt(variance), least - 1);
}

/** Benjamini and Hochberg: the least of p·n/rank over those that are not smaller. */
export function adjusted(ps: readonly number[]): readonly number[] {
  const sorted = ps.toSorted((left, right) => left - right);
  return ps.map((p) => {
    const over = sorted.map((other, place) => (other >= p ? (other * ps.length) / (place + 1) : 1));
    return Math.min(1, ...over);
  });
}
