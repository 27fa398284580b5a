/**
 * Student's t for whole degrees of freedom, as the finite series of Abramowitz and Stegun (26.7.3,
 * 26.7.4): the service uses a continued fraction instead.
 */

/** The probability that |T| exceeds |t|. */
export function probabilityBeyond(t: number, df: number): number {
  const angle = Math.atan(Math.abs(t) / Math.sqrt(df));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  let term = df % 2 === 0 ? 1 : cosine;
  let sum = df === 1 ? 0 : term;
  for (let power = df % 2 === 0 ? 2 : 3; power <= df - 2; power += 2) {
    term *= ((power - 1) / power) * cosine * cosine;
    sum += term;
  }
  const within = df % 2 === 0 ? sine * sum : (2 / Math.PI) * (angle + sine * sum);
  return 1 - within;
}

/** t(df; level): the t that T exceeds with a probability of 1 − level; level above a half. */
export function critical(df: number, level = 0.975): number {
  let [low, high] = [0, 13];
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (probabilityBeyond(middle, df) > 2 * (1 - level)) low = middle;
    else high = middle;
  }
  return low;
}
