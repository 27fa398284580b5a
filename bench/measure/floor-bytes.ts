import { catalogueOf } from "../generator/catalogue.ts";
import { generate } from "../generator/generate.ts";
import type { Workload } from "../generator/workload.ts";
import { passes } from "../plain-counting.ts";
import type { Filter, Question } from "../questions.ts";

/** Bytes of a value of each column that a question may need, as narrow as the facts have them. */
const columnBytes = {
  instant: 8,
  entity: 2,
  measure: 1,
  rank: 2,
  source: 4,
  filters: { providers: 1, regions: 2, topics: 4, prompts: 4, branded: 1 },
} as const;

/**
 * For each question the bytes that whoever keeps rows must read: its rows (the answers and the
 * entities visible in them, or the citations) times the columns that it needs. One pass.
 */
export function floorBytes(
  workload: Workload,
  questions: readonly Question[],
): ReadonlyMap<string, number> {
  const catalogue = catalogueOf(workload);
  const rows = new Map<string, number>();
  for (const batch of generate(workload)) {
    for (const answer of batch) {
      const { mentions, citedEntities, citations } = answer;
      const alsoCited = citedEntities.filter((entity) => !mentions.includes(entity)).length;
      const appearances = 1 + mentions.length + alsoCited;
      for (const question of questions) {
        if (!passes(question, answer, catalogue)) continue;
        const more = question.kind === "series" ? appearances : citations.length;
        rows.set(question.name, (rows.get(question.name) ?? 0) + more);
      }
    }
  }
  return new Map(
    questions.map((question) => [
      question.name,
      (rows.get(question.name) ?? 0) * bytesOfRow(question),
    ]),
  );
}

function bytesOfRow(question: Question): number {
  const { instant, entity, measure, rank, source } = columnBytes;
  const filters = filterBytes(question.filter);
  if (question.kind === "sources") return instant + source + filters;
  const measures = question.metric === "rank" ? rank + measure : measure;
  return instant + entity + measures + filters;
}

function filterBytes(filter: Filter): number {
  return (Object.keys(columnBytes.filters) as (keyof Filter)[])
    .filter((name) => filter[name] !== undefined)
    .reduce((sum, name) => sum + columnBytes.filters[name], 0);
}
