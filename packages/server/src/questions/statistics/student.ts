/**
 * Student's t distribution, to about twelve digits: the regularized incomplete beta function by its
 * continued fraction (Abramowitz and Stegun 26.5.8 and 26.5.27).
 */

/** Of an interval that misses the value in one case of twenty. */
const missed = 0.05;

/** The probability that |T| exceeds |t|. @param df degrees of freedom, above 0. */
export function twoSidedP(t: number, df: number): number {
  return regularizedBeta(df / (df + t * t), df / 2, 0.5);
}

/**
 * The t that |T| exceeds with probability `twoSided`, in (0, 1).
 * @param df degrees of freedom, above 0.
 */
export function criticalT(twoSided: number, df: number): number {
  let low = 0;
  let high = 1;
  while (twoSidedP(high, df) > twoSided) high *= 2;
  // Halving needs no derivative, and 80 steps reach the last bit of a double.
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (twoSidedP(middle, df) > twoSided) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const criticals = new Map<number, number>();
const criticalsMax = 10_000;

/**
 * The t of a 95 % interval. To find it takes some 50 µs, and the values of a reply often share it.
 * @param df degrees of freedom, above 0.
 */
export function criticalOf(df: number): number {
  const critical = criticals.get(df) ?? criticalT(missed, df);
  if (criticals.size >= criticalsMax) criticals.clear();
  criticals.set(df, critical);
  return critical;
}

/** I_x(a, b). */
function regularizedBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  // The fraction converges fast on this side; the other side is its mirror.
  if (x < (a + 1) / (a + b + 2)) return (front * betaFraction(x, a, b)) / a;
  return 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const stepsMax = 1_000;
const precision = 1e-16;
const tiny = 1e-300;

/** The continued fraction of the incomplete beta function, by Lentz's method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= stepsMax; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision) break;
  }
  return fraction;
}

function nonZero(value: number): number {
  return Math.abs(value) < tiny ? tiny : value;
}

/** Lanczos's coefficients for g = 7 and nine terms. */
const lanczosFirst = 0.99999999999980993;
const lanczosTerms = [
  676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x), for x of at least 0.5. */
function logGamma(x: number): number {
  const base = x + 6.5;
  let sum = lanczosFirst;
  for (const [place, term] of lanczosTerms.entries()) sum += term / (x + place);
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
}
