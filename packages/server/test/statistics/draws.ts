/** Numbers from 0 up to 1. */
export type Random = () => number;

/** A number of the standard normal distribution (Box and Muller). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A number of a gamma distribution of scale 1 (Marsaglia and Tsang). */
function gamma(random: Random, shape: number): number {
  // Below 1, by the logarithm: a small shape gives numbers that are 0 as doubles.
  if (shape < 1) return Math.exp(logGammaDraw(random, shape));
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(1 - random()) < (x * x) / 2 + d - d * v + d * Math.log(v)) return d * v;
  }
}

function logGammaDraw(random: Random, shape: number): number {
  if (shape >= 1) return Math.log(gamma(random, shape));
  return Math.log(gamma(random, shape + 1)) + Math.log(1 - random()) / shape;
}

/** A number of a beta distribution. */
export function beta(random: Random, a: number, b: number): number {
  const [x, y] = [logGammaDraw(random, a), logGammaDraw(random, b)];
  return 1 / (1 + Math.exp(y - x));
}
