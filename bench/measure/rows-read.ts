import type { SourceAnalysisRequest, TimeSeriesRequest } from "@sightline/contract";
import {
  type Codes,
  planSources,
  planTimeSeries,
  type TimeSeriesPlan,
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
import { HeldBudget } from "../../packages/server/src/facts/held-budget.ts";
import { HeldDaily } from "../../packages/server/src/facts/held-daily.ts";
import { HeldFacts } from "../../packages/server/src/facts/held-facts.ts";
import { PromptIndex } from "../../packages/server/src/facts/held-index.ts";
import type { Catalogue } from "../generator/catalogue.ts";
import { requestOf } from "../question-request.ts";
import type { Question } from "../questions.ts";

// All that the benchmarks know of plans stands in this file.

/** What a question reads. */
export interface ReadRows {
  /** The tables that its plan names, each once, or what is held in memory instead. */
  readonly plan: string;
  /** Rows that the engine would scan, or answers that are looked at in the index. */
  readonly rows: number;
}

/** Runs each question once more, its statement under the engine's profiler; no server may run. */
export async function rowsRead(
  factsPath: string,
  questions: readonly Question[],
  catalogue: Catalogue,
): Promise<ReadonlyMap<string, ReadRows>> {
  const file = await FactsFile.open(factsPath);
  const held = await heldFacts(file);
  const codes = codesOf(file.state.snapshot);
  const read = new Map<string, ReadRows>();
  for (const question of questions) {
    const planned = plannedOf(question, catalogue, codes);
    if (planned === null) continue; // no row can pass: the engine is not asked
    const { statement, tables, series } = planned;
    const used = series === null ? null : (await held(series)).used;
    if (used?.answers !== undefined) {
      read.set(question.name, { plan: used.name, rows: used.answers });
      continue;
    }
    const profiled = { ...statement, sql: `explain (analyze, format json) ${statement.sql}` };
    const chunks = await file.query(profiled, signal);
    const [row] = chunks.flatMap((chunk) => chunk.getRows());
    const { cumulative_rows_scanned: rows } = JSON.parse(String(row?.[1])) as {
      readonly cumulative_rows_scanned: number;
    };
    read.set(question.name, { plan: [...new Set(tables)].join(" + "), rows });
  }
  await file.rest();
  return read;
}

const { signal } = new AbortController();

/** Asks as the service does: what its memory answers, the engine is not asked. */
async function heldFacts(file: FactsFile) {
  const budget = new HeldBudget(Number.MAX_SAFE_INTEGER);
  const index = new PromptIndex(
    { ask: (statement) => file.query(statement, signal), version: () => 1 },
    budget,
  );
  index.current();
  await index.settled();
  const held = new HeldFacts(budget, new HeldDaily(file, budget), index);
  const shape = { entities: file.state.snapshot.entities.length + 1 };
  return (plan: TimeSeriesPlan) => {
    const asking = { shape: { ...shape, buckets: plan.startsMs.length }, version: 1, signal };
    return held.sums(plan, asking);
  };
}

interface Planned {
  readonly statement: Statement;
  readonly tables: readonly string[];
  /** Null: a page of sources. */
  readonly series: TimeSeriesPlan | null;
}

function plannedOf(question: Question, catalogue: Catalogue, codes: Codes): Planned | null {
  const { body } = requestOf(question, catalogue);
  if (question.kind === "series") {
    const asked = timeSeriesQuestion(question.metric, body as TimeSeriesRequest);
    const plan = planTimeSeries(asked, codes);
    if (plan === null) return null;
    const tables = plan.rows.parts.map(({ table }) => table);
    return { statement: timeSeriesStatement(plan), tables, series: plan };
  }
  const plan = planSources(sourcesQuestion(body as SourceAnalysisRequest), codes);
  if (plan === null) return null;
  const tables = plan.rows.parts.map(({ table }) => table);
  return { statement: sourcesStatement(plan), tables, series: null };
}
