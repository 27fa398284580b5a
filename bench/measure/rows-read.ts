import type { SourceAnalysisRequest, TimeSeriesRequest } from "@sightline/contract";
import {
  type Codes,
  planSources,
  planTimeSeries,
} from "../../packages/server/src/analytics/plan.ts";
import {
  sourcesQuestion,
  timeSeriesQuestion,
} from "../../packages/server/src/analytics/question.ts";
import { codesOf } from "../../packages/server/src/facts/codes.ts";
import { FactsFile } from "../../packages/server/src/facts/duckdb/facts-file.ts";
import {
  type Statement,
  sourcesStatement,
  timeSeriesStatement,
} from "../../packages/server/src/facts/duckdb/statements.ts";
import type { Catalogue } from "../generator/catalogue.ts";
import { requestOf } from "../question-request.ts";
import type { Question } from "../questions.ts";

// All that the benchmarks know of plans stands in this file.

/** What a question reads. */
export interface ReadRows {
  /** The tables that its plan names, each once. */
  readonly plan: string;
  /** Rows that the engine scanned. */
  readonly rows: number;
}

/** Runs each question's statement once more, under the engine's profiler; no server may run. */
export async function rowsRead(
  factsPath: string,
  questions: readonly Question[],
  catalogue: Catalogue,
): Promise<ReadonlyMap<string, ReadRows>> {
  const file = await FactsFile.open(factsPath);
  const codes = codesOf(file.state.snapshot);
  const read = new Map<string, ReadRows>();
  for (const question of questions) {
    const planned = plannedOf(question, catalogue, codes);
    if (planned === null) continue; // no row can pass: the engine is not asked
    const { statement, tables } = planned;
    const profiled = { ...statement, sql: `explain (analyze, format json) ${statement.sql}` };
    const chunks = await file.query(profiled, new AbortController().signal);
    const [row] = chunks.flatMap((chunk) => chunk.getRows());
    const { cumulative_rows_scanned: rows } = JSON.parse(String(row?.[1])) as {
      readonly cumulative_rows_scanned: number;
    };
    read.set(question.name, { plan: [...new Set(tables)].join(" + "), rows });
  }
  await file.rest();
  return read;
}

interface Planned {
  readonly statement: Statement;
  readonly tables: readonly string[];
}

function plannedOf(question: Question, catalogue: Catalogue, codes: Codes): Planned | null {
  const { body } = requestOf(question, catalogue);
  if (question.kind === "series") {
    const asked = timeSeriesQuestion(question.metric, body as TimeSeriesRequest);
    const plan = planTimeSeries(asked, codes);
    if (plan === null) return null;
    const tables = plan.rows.parts.map(({ table }) => table);
    return { statement: timeSeriesStatement(plan), tables };
  }
  const plan = planSources(sourcesQuestion(body as SourceAnalysisRequest), codes);
  if (plan === null) return null;
  const tables = plan.rows.parts.map(({ table }) => table);
  return { statement: sourcesStatement(plan), tables };
}
