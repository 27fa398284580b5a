import { type Outcome, outcomes } from "./answer.ts";

/** Counts of a record. Instants are milliseconds since 1970, null when there is no answer. */
export interface RecordCounts {
  /** Every recorded answer, of any outcome. */
  readonly answers: number;
  /** The same by outcome; only `answered` counts in metrics. */
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** The instants of the earliest and the latest answer. */
  readonly first: number | null;
  readonly last: number | null;
  /** When the newest answer was recorded. */
  readonly lastImport: number | null;
}

/** The counts of a record without answers. */
export const noAnswers: RecordCounts = {
  ...{ answers: 0, first: null, last: null, lastImport: null },
  outcomes: countsOf([]),
};

/** Answers of one outcome. */
export interface OutcomeCount {
  readonly outcome: string;
  readonly answers: number;
}

/** Counts of every outcome, from those that there are. */
export function countsOf(counts: readonly OutcomeCount[]): Readonly<Record<Outcome, number>> {
  const found = outcomes.map((outcome) => {
    return [outcome, counts.find((each) => each.outcome === outcome)?.answers ?? 0] as const;
  });
  return Object.fromEntries(found) as Record<Outcome, number>;
}
