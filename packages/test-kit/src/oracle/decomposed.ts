import {
  type Both,
  effective,
  type Part,
  promptsMin,
  ratioOf,
  total,
  varianceOf,
} from "./estimates.ts";
import { critical, probabilityBeyond } from "./student.ts";

/** C_g: what each item of a partition of the answers adds to R₂ − R₁, and of what it consists. */
export function contributionsOf(items: readonly Both<Part>[]) {
  const [all1, all2] = [total(items.map(([x]) => x)), total(items.map(([, y]) => y))];
  const mean = (all1.a / all1.b + all2.a / all2.b) / 2;
  return items.map(([x, y]) => {
    const value = (y.a - mean * y.b) / all2.b - (x.a - mean * x.b) / all1.b;
    const weight = (x.b / all1.b + y.b / all2.b) / 2;
    const within = x.b === 0 || y.b === 0 ? 0 : weight * (y.a / y.b - x.a / x.b);
    return { value, within, mix: value - within };
  });
}

/** An answer as a partition by source sees it: whether it is a hit, and what domains it cites. */
export interface SourcedAnswer {
  readonly hit: boolean;
  readonly domains: readonly string[];
}

/** C_s of each domain, and of `none`. */
export function sourceContributionsOf([before, after]: Both<readonly SourcedAnswer[]>) {
  const share = (answers: readonly SourcedAnswer[], source: string) => {
    const shares = answers.map(({ hit, domains }) => {
      const distinct = domains.length === 0 ? ["none"] : [...new Set(domains)];
      return hit && distinct.includes(source) ? 1 / distinct.length : 0;
    });
    return shares.reduce((sum, each) => sum + each, 0) / answers.length;
  };
  const sources = new Set(["none", ...[...before, ...after].flatMap(({ domains }) => domains)]);
  return new Map([...sources].map((each) => [each, share(after, each) - share(before, each)]));
}

/** The trend of windows of equal length, each with the same prompts in the same order. */
export function trendOf(windows: readonly (readonly Part[])[]) {
  const places = (windows[0] ?? []).map((_, j) => j);
  const kept = places.filter((j) => windows.every((each) => (each[j]?.b ?? 0) > 0));
  const sides = windows.map((each) => kept.flatMap((j) => each[j] ?? []));
  const values = sides.map((side) => ratioOf(side) ?? 0);
  // 2(τ − τ̄), a whole number
  const centred = sides.map((_, place) => 2 * place - (sides.length - 1));
  const squares = centred.reduce((sum, each) => sum + (each / 2) ** 2, 0);
  const slope = values.reduce((sum, r, s) => sum + ((centred[s] ?? 0) / 2 / squares) * r, 0);
  const effectivePrompts = Math.min(...sides.map((side) => effective(side.map(({ b }) => b))));
  if (effectivePrompts < promptsMin) return { slope, effectivePrompts, interval: null, p: null };
  const variance = varianceOf(sides, centred) / (2 * squares) ** 2;
  const error = Math.sqrt(variance);
  const df = effectivePrompts - 1;
  const byPrompts = variance === 0 ? 0 : probabilityBeyond(slope / error, df);
  const differing = kept.filter((_, j) =>
    sides.some((side) => {
      const [x, y] = [side[j] ?? { a: 0, b: 1 }, sides[0]?.[j] ?? { a: 0, b: 1 }];
      return x.a * y.b !== y.a * x.b;
    }),
  ).length;
  const byWindows = pOfLine(values);
  const p = Math.min(1, Math.max(byPrompts, 2 ** (1 - differing), byWindows));
  const margin = critical(df) * error;
  const [low, high] = [slope - margin, slope + margin];
  const stretched = { low: Math.min(low, 0), high: Math.max(high, 0) };
  const interval = variance === 0 ? null : p > 0.05 ? stretched : { low, high };
  return { slope, effectivePrompts, interval, p, error, byPrompts, byWindows, differing };
}

/** The two-sided p of a straight line's slope. */
function pOfLine(values: readonly number[]): number {
  const t = values.length;
  const [meanX, meanY] = [(t - 1) / 2, values.reduce((sum, each) => sum + each, 0) / t];
  const sxx = values.reduce((sum, _, x) => sum + (x - meanX) ** 2, 0);
  const slope = values.reduce((sum, y, x) => sum + (x - meanX) * (y - meanY), 0) / sxx;
  const rest = values.reduce((sum, y, x) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0);
  // What is left of a straight line is a rounding.
  if (rest < 1e-28) return 0;
  return probabilityBeyond(slope / Math.sqrt(rest / (t - 2) / sxx), t - 2);
}

/** What a plan is made from. */
export interface Spread {
  /** p, σ², ρ and τ² of design/insights. */
  readonly rate: number;
  readonly within: number;
  readonly correlation: number;
  readonly drift: number;
}

/** The spread of two windows of the same prompts, each of hits and answers. */
export function spreadOfWindows(prompts: readonly Both<Part>[]): Spread {
  const every = prompts.flat().filter(({ b }) => b > 0);
  const rate = ratioOf(every) ?? 0;
  if (every.every(({ b }) => b === 1)) {
    return { rate, within: 0.1 * rate * (1 - rate), correlation: 0.9, drift: 0 };
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
  const within = sum(every.map(({ a, b }) => (a * (b - a)) / b)) / sum(every.map(({ b }) => b - 1));
  const isVaried = rate > 0 && rate < 1;
  const correlation = isVaried ? Math.min(1, Math.max(0, 1 - within / (rate * (1 - rate)))) : 0;
  const common = prompts.filter(([x, y]) => x.b > 0 && y.b > 0);
  if (common.length < 2) return { rate, within, correlation, drift: 0 };
  const differences = common.map(([x, y]) => y.a / y.b - x.a / x.b);
  const mean = sum(differences) / differences.length;
  const sampled = sum(differences.map((each) => (each - mean) ** 2)) / (differences.length - 1);
  const inverse = (side: 0 | 1) => sum(common.map((each) => 1 / each[side].b)) / common.length;
  const drift = Math.max(0, sampled - within * (inverse(0) + inverse(1)));
  return { rate, within, correlation, drift };
}

/** (t(m − 1; .975) + t(m − 1; .8))²·S², to be at most m·d². */
function needed({ within, correlation, drift }: Spread, answers: number, of: Wanted): number {
  const { prompts, change } = of;
  const factor = critical(prompts - 1) + critical(prompts - 1, 0.8);
  return factor * factor * ((2 * within) / answers + drift + correlation * change * (1 - change));
}

interface Wanted {
  readonly prompts: number;
  readonly change: number;
}

/** The least prompts that show a change, with so many answers a prompt. */
export function promptsFor(spread: Spread, answers: number, change: number): number {
  let prompts = promptsMin;
  while (prompts * change * change < needed(spread, answers, { prompts, change })) prompts += 1;
  return prompts;
}

/** The least change that so many prompts show. */
export function leastChangeOf(spread: Spread, answers: number, prompts: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 100; step += 1) {
    const change = (low + high) / 2;
    if (prompts * change * change < needed(spread, answers, { prompts, change })) low = change;
    else high = change;
  }
  return high;
}
