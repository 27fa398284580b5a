/** Counts of a record. Instants are milliseconds since 1970, null when there is no answer. */
export interface RecordCounts {
  /** Every recorded answer, of any outcome. */
  readonly answers: number;
  /** The instants of the earliest and the latest answer. */
  readonly first: number | null;
  readonly last: number | null;
  /** When the newest answer was recorded. */
  readonly lastImport: number | null;
}

/** The counts of a record without answers. */
export const noAnswers: RecordCounts = { answers: 0, first: null, last: null, lastImport: null };
