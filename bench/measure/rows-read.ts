import type { SourceAnalysisRequest, TimeSeriesRequest } from "@sightline/contract";
import {
  type Codes,
  planSources,
  planTimeSeries,
  type SourcesPlan,
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
import { HeldFacts, holdersOf } from "../../packages/server/src/facts/held-facts.ts";
import { SourcesReader } from "../../packages/server/src/facts/sources-reader.ts";
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
  const used = await usedBy(file);
  const codes = codesOf(file.state.snapshot);
  const read = new Map<string, ReadRows>();
  for (const question of questions) {
    const planned = plannedOf(question, catalogue, codes);
    if (planned === null) continue; // no row can pass: the engine is not asked
    const { statement, tables } = planned;
    const { name, answers } = await used(planned);
    if (answers !== undefined) {
      read.set(question.name, { plan: name, rows: answers });
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
async function usedBy(file: FactsFile) {
  const budget = new HeldBudget(Number.MAX_SAFE_INTEGER);
  const facts = {
    ask: (statement: Statement) => file.query(statement, signal),
    version: () => 1,
  };
  const holders = holdersOf(file, { facts, budget });
  for (const index of [holders.appearances, holders.citations]) {
    index.current();
    await index.settled();
  }
  const held = new HeldFacts(budget, holders);
  const sources = new SourcesReader(file, holders.citations);
  const { snapshot } = file.state;
  const entities = snapshot.entities.length + 1;
  const { traits } = codesOf(snapshot);
  return async ({ plan }: Planned) => {
    if (!("measures" in plan)) return (await sources.read(plan, traits, signal)).used;
    const shape = { entities, buckets: plan.startsMs.length };
    return (await held.sums(plan, { shape, traits, version: 1, signal })).used;
  };
}

interface Planned {
  readonly plan: TimeSeriesPlan | SourcesPlan;
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
    return { plan, statement: timeSeriesStatement(plan), tables };
  }
  const plan = planSources(sourcesQuestion(body as SourceAnalysisRequest), codes);
  if (plan === null) return null;
  const tables = plan.rows.parts.map(({ table }) => table);
  return { plan, statement: sourcesStatement(plan), tables };
}
