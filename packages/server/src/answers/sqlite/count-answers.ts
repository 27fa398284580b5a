import { existsSync } from "node:fs";
import { openSqlite, type SqliteDatabase } from "../../platform/sqlite.ts";
import { uuidText } from "../../platform/uuid.ts";
import { countsOf, noAnswers, type OutcomeCount, type RecordCounts } from "../record-counts.ts";

export type { RecordCounts };

const selectCounts = `
  select count(*) as answers, min(answered_at) as first, max(answered_at) as last,
    max(recorded_at) as lastImport
  from answers`;

const selectByOutcome = "select outcome, count(*) as answers from answers group by outcome";

/** Only `answered` counts in metrics. */
const selectByPrompt = `
  select prompt_id as promptId, count(*) as answers
  from answers where outcome = 'answered' group by prompt_id`;

/** Counts a record's answers by reading all of it; a missing file has none. */
export function countAnswers(path: string): RecordCounts {
  const count = (database: SqliteDatabase): RecordCounts => {
    const counts = database.prepare<[], Omit<RecordCounts, "outcomes">>(selectCounts).get();
    const outcomes = database.prepare<[], OutcomeCount>(selectByOutcome).all();
    return { ...noAnswers, ...counts, outcomes: countsOf(outcomes) };
  };
  return reading(path, count) ?? noAnswers;
}

/** The number of counted answers of each prompt; prompts without any are absent. */
export function countAnswersByPrompt(path: string): ReadonlyMap<string, number> {
  const count = (database: SqliteDatabase) =>
    database.prepare<[], { promptId: Buffer; answers: number }>(selectByPrompt).all();
  const rows = reading(path, count) ?? [];
  return new Map(rows.map(({ promptId, answers }) => [uuidText(promptId), answers]));
}

/** Null when there is no file; none is created. */
function reading<Result>(path: string, read: (database: SqliteDatabase) => Result): Result | null {
  if (!existsSync(path)) return null;
  const database = openSqlite(path, { readonly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
}
