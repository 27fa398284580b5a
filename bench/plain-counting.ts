import type { Interval } from "@sightline/contract";
import type { EngineRows, SeriesRow, SourceRow } from "./engine-rows.ts";
import { type Catalogue, catalogueOf } from "./generator/catalogue.ts";
import { type GeneratedAnswer, generate } from "./generator/generate.ts";
import { dayMs, type Workload } from "./generator/workload.ts";
import type { Question, SeriesQuestion, SourcesQuestion } from "./questions.ts";

/** Whether an answer counts for a question. */
function passes(
  { fromMs, toMs, filter }: Question,
  answer: GeneratedAnswer,
  catalogue: Catalogue,
): boolean {
  if (answer.answeredAt < fromMs || answer.answeredAt >= toMs) return false;
  const { providers, regions, topics, prompts, branded } = filter;
  if (providers !== undefined && !providers.includes(answer.provider)) return false;
  if (regions !== undefined && !(answer.region !== null && regions.includes(answer.region))) {
    return false;
  }
  if (prompts !== undefined && !prompts.includes(answer.prompt)) return false;
  const prompt = catalogue.prompts[answer.prompt];
  if (prompt === undefined) return false;
  if (topics !== undefined && !topics.includes(prompt.topic)) return false;
  return branded === undefined || prompt.branded === branded;
}

/** The rows of a question, counted one answer at a time over the generated answers. */
export function countPlainly(workload: Workload, question: Question): EngineRows {
  const answers = passing(workload, question);
  return question.kind === "series"
    ? { kind: "series", rows: countSeries(question, answers) }
    : { kind: "sources", rows: countSources(question, answers) };
}

function* passing(workload: Workload, question: Question): Generator<GeneratedAnswer> {
  const catalogue = catalogueOf(workload);
  for (const batch of generate(workload)) {
    for (const answer of batch) if (passes(question, answer, catalogue)) yield answer;
  }
}

function countSeries(
  { metric, interval }: SeriesQuestion,
  answers: Iterable<GeneratedAnswer>,
): readonly SeriesRow[] {
  const rows = new Map<string, { -readonly [Name in keyof SeriesRow]: SeriesRow[Name] }>();
  for (const { answeredAt, mentions, citedEntities } of answers) {
    const bucketMs = bucketStart(interval, answeredAt);
    const add = (entity: number, sum: number, mentioned: number) => {
      const key = `${bucketMs}/${entity}`;
      const row = rows.get(key) ?? { bucketMs, entity, sum: 0, mentions: 0 };
      row.sum += sum;
      row.mentions += mentioned;
      rows.set(key, row);
    };
    add(0, 1, 0);
    for (const entity of new Set([...mentions, ...citedEntities])) {
      const rank = mentions.indexOf(entity) + 1;
      const measured = {
        mentions: Number(rank > 0),
        "overall-visibility": 1,
        citations: Number(citedEntities.includes(entity)),
        rank,
      };
      add(entity + 1, measured[metric], Number(rank > 0));
    }
  }
  return [...rows.values()];
}

function countSources(
  { groupBy, limit, offset }: SourcesQuestion,
  answers: Iterable<GeneratedAnswer>,
): readonly SourceRow[] {
  const counts = new Map<string, number>();
  let allCitations = 0;
  for (const { citations } of answers) {
    for (const page of citations) {
      counts.set(page[groupBy], (counts.get(page[groupBy]) ?? 0) + 1);
      allCitations++;
    }
  }
  return [...counts]
    .map(([source, citations]) => ({ source, citations, total: counts.size, allCitations }))
    .sort((a, b) => b.citations - a.citations || (a.source < b.source ? -1 : 1))
    .slice(offset, offset + limit);
}

function bucketStart(interval: Interval, instantMs: number): number {
  const date = new Date(instantMs);
  if (interval === "monthly") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const dayStart = Math.floor(instantMs / dayMs) * dayMs;
  return interval === "daily" ? dayStart : dayStart - ((date.getUTCDay() + 6) % 7) * dayMs;
}
