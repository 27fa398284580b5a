/** The seed of the default run: the same questions every time, so that a failure is one of code. */
const defaultSeed = 20_260_101;

/**
 * How many questions to ask, and from which seed: SIGHTLINE_TEST_RUNS and SIGHTLINE_TEST_SEED, for
 * longer runs and other questions.
 *
 * @param usually how many questions are asked when SIGHTLINE_TEST_RUNS is not set. It counts the
 *   questions of the oracle's test in a long run (3,000); others scale with it. By default a third
 *   of them is asked.
 */
export function oracleRuns(usually: number): { readonly questions: number; readonly seed: number } {
  const scale = numberIn("SIGHTLINE_TEST_RUNS", 1_000) / 3_000;
  return {
    questions: Math.ceil(usually * scale),
    seed: testSeed(),
  };
}

/** What random tests begin with: SIGHTLINE_TEST_SEED, or the same as always. */
export function testSeed(): number {
  return numberIn("SIGHTLINE_TEST_SEED", defaultSeed);
}

const shrinkingMsMax = 30_000;

/**
 * A property that gives up shrinking after half a minute: from then on everything holds, so that
 * fast-check reports the smallest failure that it found until then.
 */
export function shrinkingBriefly<Values extends readonly unknown[]>(
  property: (...values: Values) => Promise<void>,
): (...values: Values) => Promise<void> {
  let failedAt: number | null = null;
  return async (...values) => {
    if (failedAt !== null && Date.now() - failedAt > shrinkingMsMax) return;
    try {
      await property(...values);
    } catch (error) {
      failedAt ??= Date.now();
      throw error;
    }
  };
}

function numberIn(variable: string, otherwise: number): number {
  const text = process.env[variable];
  if (text === undefined || text === "") return otherwise;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`${variable} is ${text}, not a whole number.`);
  return Number(text);
}
