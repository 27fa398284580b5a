/**
 * What one prompt with answers adds to a value: numerator and denominator. The denominator may be
 * 0: a prompt whose answers never mention the entity still adds to its mean rank that it was asked.
 */
export interface Cluster {
  readonly numerator: number;
  readonly denominator: number;
}

/**
 * Sums over prompts of their numerators and denominators, of the squares of each, and of the
 * products of both. They are integers, so that order and grouping of the prompts change nothing.
 */
export interface Moments extends Cluster {
  /** Prompts with answers. */
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
  const sums = { numerator: 0, denominator: 0 };
  const squares = { numeratorSquares: 0, denominatorSquares: 0, products: 0 };
  for (const prompt of prompts) {
    const { numerator, denominator } = clusterOf(prompt);
    sums.numerator += numerator;
    sums.denominator += denominator;
    squares.numeratorSquares += numerator * numerator;
    squares.denominatorSquares += denominator * denominator;
    squares.products += numerator * denominator;
  }
  return { prompts: prompts.length, ...sums, ...squares };
}

/** The moments of clusters. */
export function clusterMoments(clusters: readonly Cluster[]): Moments {
  return momentsOf(clusters, (cluster) => cluster);
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
 * The variance of the difference of two values, paired by prompt: of after − before.
 * @param before the prompts of both windows, in the same order as those after.
 */
export function varianceOfChange(before: readonly Cluster[], after: readonly Cluster[]): number {
  const prompts = before.length;
  if (prompts < 2) return 0;
  const [first, second] = [clusterMoments(before), clusterMoments(after)];
  const [firstScale, secondScale] = [first, second].map(
    ({ denominator }) => BigInt(denominator) ** 2n,
  ) as [bigint, bigint];
  const squares =
    firstScale ** 2n * squaredResiduals(second) -
    2n * firstScale * secondScale * residualProducts(before, after) +
    secondScale ** 2n * squaredResiduals(first);
  const scale = Number(firstScale ** 2n * secondScale ** 2n);
  return ((prompts / (prompts - 1)) * Number(squares)) / scale;
}

/** Σ(B₁·A₁_j − A₁·B₁_j)(B₂·A₂_j − A₂·B₂_j). */
function residualProducts(before: readonly Cluster[], after: readonly Cluster[]): bigint {
  const crossed = { aa: 0, ab: 0, ba: 0, bb: 0 };
  const sums = { a1: 0, b1: 0, a2: 0, b2: 0 };
  for (const [place, one] of before.entries()) {
    const two = after[place] ?? { numerator: 0, denominator: 0 };
    crossed.aa += one.numerator * two.numerator;
    crossed.ab += one.numerator * two.denominator;
    crossed.ba += one.denominator * two.numerator;
    crossed.bb += one.denominator * two.denominator;
    sums.a1 += one.numerator;
    sums.b1 += one.denominator;
    sums.a2 += two.numerator;
    sums.b2 += two.denominator;
  }
  const [a1, b1, a2, b2] = [sums.a1, sums.b1, sums.a2, sums.b2].map(BigInt) as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  return (
    b1 * b2 * BigInt(crossed.aa) -
    b1 * a2 * BigInt(crossed.ab) -
    a1 * b2 * BigInt(crossed.ba) +
    a1 * a2 * BigInt(crossed.bb)
  );
}
