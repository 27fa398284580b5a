import type { Pool } from "pg";
import type { Clickhouse } from "../../platform/clickhouse/clickhouse.ts";
import { countsOf, noAnswers, type RecordCounts } from "../record-counts.ts";
import { countsStatement, outcomesStatement, promptsStatement } from "./answer-statements.ts";
import { readPlaces } from "./record-places.ts";

interface CountingContext {
  readonly clickhouse: Clickhouse;
  readonly pool: Pool;
}

/** Counts a record's answers by reading some columns of all. */
export async function countAnswers(
  accountId: string,
  { clickhouse, pool }: CountingContext,
): Promise<RecordCounts> {
  const places = await readPlaces(pool, accountId);
  if (places === null) return noAnswers;
  const [counts] = await clickhouse.query(countsStatement(accountId, places));
  if (counts === undefined || counts.answers === 0) return noAnswers;
  const outcomes = await clickhouse.query(outcomesStatement(accountId, places));
  return { ...counts, outcomes: countsOf(outcomes) };
}

/** The number of counted answers of each prompt; prompts without any are absent. */
export async function countAnswersByPrompt(
  accountId: string,
  { clickhouse, pool }: CountingContext,
): Promise<ReadonlyMap<string, number>> {
  const places = await readPlaces(pool, accountId);
  if (places === null) return new Map();
  const rows = await clickhouse.query(promptsStatement(accountId, places));
  return new Map(rows.map(({ promptId, answers }) => [promptId, answers]));
}
