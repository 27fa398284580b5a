/** What one prompt adds to a value: numerator and denominator, whole numbers. */
export interface Cluster {
  readonly numerator: number;
  /** 0: the prompt says nothing of this value, and does not count as a prompt. */
  readonly denominator: number;
}

/**
 * Sums over prompts of their numerators and denominators, of the squares of each, and of the
 * products of both. They are integers, so that order and grouping of the prompts change nothing.
 */
export interface Moments extends Cluster {
  /** Prompts with a denominator above 0. */
  readonly prompts: number;
  readonly numeratorSquares: number;
  readonly denominatorSquares: number;
  readonly products: number;
}

/** The moments of prompts, by what each adds. */
export function momentsOf<Prompt>(
  prompts: readonly Prompt[],
  clusterOf: (prompt: Prompt) => Cluster,
): Moments {
  const sums = { prompts: 0, numerator: 0, denominator: 0 };
  const squares = { numeratorSquares: 0, denominatorSquares: 0, products: 0 };
  for (const prompt of prompts) {
    const { numerator, denominator } = clusterOf(prompt);
    if (denominator === 0) continue;
    sums.prompts += 1;
    sums.numerator += numerator;
    sums.denominator += denominator;
    squares.numeratorSquares += numerator * numerator;
    squares.denominatorSquares += denominator * denominator;
    squares.products += numerator * denominator;
  }
  return { ...sums, ...squares };
}

/** The moments of clusters. */
export function clusterMoments(clusters: readonly Cluster[]): Moments {
  return momentsOf(clusters, (cluster) => cluster);
}

/** Below, the square of twice a sum is exact as a double. */
const exactSumMax = 2 ** 25;

/**
 * As many prompts of equal size would vary as much: (Σx)² / Σx² (Kish 1965), rounded, halves up.
 * @returns 0 when the sum is 0.
 */
export function effectivePrompts(sum: number, squares: number): number {
  if (sum === 0) return 0;
  if (sum < exactSumMax) return Math.floor((2 * sum * sum + squares) / (2 * squares));
  const [whole, divisor] = [BigInt(sum), BigInt(squares)];
  return Number((2n * whole * whole + divisor) / (2n * divisor));
}

/** The effective prompts of a value: of its denominators. */
export function effectiveOf({ denominator, denominatorSquares }: Moments): number {
  return effectivePrompts(denominator, denominatorSquares);
}

/** The effective prompts of whichever are fewer: those of hits, or those of misses. */
export function effectiveHits(moments: Moments): number {
  const { numerator, denominator, numeratorSquares, denominatorSquares, products } = moments;
  const misses = denominatorSquares - 2 * products + numeratorSquares;
  return Math.min(
    effectivePrompts(numerator, numeratorSquares),
    effectivePrompts(denominator - numerator, misses),
  );
}

/**
 * The variance of numerator / denominator, linearized: m/(m−1) · Σ(A_j − R·B_j)²/B². The squares
 * are added up as integers: equal prompts have the variance 0, whatever their values.
 * @param moments of a denominator above 0.
 */
export function varianceOf(moments: Moments): number {
  const { prompts, denominator } = moments;
  if (prompts < 2) return 0;
  const scale = Number(BigInt(denominator) ** 4n);
  return ((prompts / (prompts - 1)) * Number(squaredResiduals(moments))) / scale;
}

/** Σ(B·A_j − A·B_j)²: the squares of the residuals, B² times as large. */
function squaredResiduals(moments: Moments): bigint {
  const [a, b] = [BigInt(moments.numerator), BigInt(moments.denominator)];
  return (
    b * b * BigInt(moments.numeratorSquares) -
    2n * a * b * BigInt(moments.products) +
    a * a * BigInt(moments.denominatorSquares)
  );
}

/**
 * How two ratios of the same prompts vary together: the correlation of their residuals, which adds
 * up integers as the variance does. 0: one of them does not vary.
 * @param first of each prompt, and `second` in the same order; a denominator may be 0.
 */
export function correlationOf(first: readonly Cluster[], second: readonly Cluster[]): number {
  const [one, other] = [clusterMoments(first), clusterMoments(second)];
  const squares = [squaredResiduals(one), squaredResiduals(other)].map(Number);
  const scale = Math.sqrt(squares[0] ?? 0) * Math.sqrt(squares[1] ?? 0);
  if (scale === 0) return 0;
  const product = (a: keyof Cluster, b: keyof Cluster) =>
    BigInt(first.reduce((sum, each, place) => sum + each[a] * (second[place]?.[b] ?? 0), 0));
  const [a, b] = [BigInt(one.numerator), BigInt(one.denominator)];
  const [c, d] = [BigInt(other.numerator), BigInt(other.denominator)];
  const sum =
    b * d * product("numerator", "numerator") -
    b * c * product("numerator", "denominator") -
    a * d * product("denominator", "numerator") +
    a * c * product("denominator", "denominator");
  return Number(sum) / scale;
}

/**
 * The variance of a weighted sum of values of the same prompts, one value a window:
 * m/(m−1) · Σ_j(Σ_τ w_τ·u_jτ)². A change has the weights −1 and 1.
 * @param windows of each the prompts, in the same order, each with a denominator above 0.
 */
export function varianceOfSum(
  windows: readonly (readonly Cluster[])[],
  weights: readonly number[],
): number {
  const moments = windows.map(clusterMoments);
  const prompts = windows[0]?.length ?? 0;
  if (prompts < 2) return 0;
  const squares: number[] = [];
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    let [residual, size] = [0, 0];
    for (const [window, { numerator, denominator }] of moments.entries()) {
      const own = windows[window]?.[prompt] ?? { numerator: 0, denominator: 0 };
      const difference = exactDifference(
        [own.numerator, denominator],
        [numerator, own.denominator],
      );
      const term = ((weights[window] ?? 0) * difference) / denominator ** 2;
      residual += term;
      size += Math.abs(term);
    }
    // Residuals that cancel out but for rounding are equal.
    squares.push(Math.abs(residual) <= rounding * size ? 0 : residual * residual);
  }
  // In one order, so that rounding is the same whatever the order of the prompts.
  const sum = squares.sort((a, b) => a - b).reduce((all, each) => all + each, 0);
  return (prompts / (prompts - 1)) * sum;
}

const rounding = 1e-12;

/** a·b − c·d of whole numbers, exact before it is rounded to a double. */
function exactDifference(
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): number {
  const [first, second] = [a * b, c * d];
  if (first <= Number.MAX_SAFE_INTEGER && second <= Number.MAX_SAFE_INTEGER) return first - second;
  return Number(BigInt(a) * BigInt(b) - BigInt(c) * BigInt(d));
}
