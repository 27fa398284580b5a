import type { DuckDBConnection } from "@duckdb/node-api";
import type { FactRows } from "../fact-rows.ts";
import { appendColumns } from "./append-columns.ts";
import { addAppearances, addCitations, clearStages, stages, stageUrls } from "./staging.ts";

/** Adds a batch's rows, their sums and its watermark, within the writer's transaction. */
export async function appendFactRows(writer: DuckDBConnection, rows: FactRows): Promise<void> {
  if (rows.answers.day.length > 0) {
    await stageAnswers(writer, rows);
    for (const step of addAppearances) await writer.run(step);
    if (rows.urls.count > 0) {
      await stageCitations(writer, rows);
      for (const step of addCitations) await writer.run(step);
    }
    for (const step of clearStages) await writer.run(step);
  }
  for (const id of rows.skippedPrompts) {
    await writer.run("insert into skipped_prompts values ($1)", [id]);
  }
  const { sequence, stamp } = rows.mark;
  await writer.run("insert into watermarks values ($1, $2)", [BigInt(sequence), stamp]);
}

/** In the order of the stages' columns. */
async function stageAnswers(
  writer: DuckDBConnection,
  { answers, details, appearances }: FactRows,
): Promise<void> {
  await appendColumns(writer, stages.answers, [
    Int32Array.from(answers.day.keys()),
    answers.sequence,
    answers.answeredAt,
    answers.day,
    answers.week,
    answers.month,
    answers.prompt,
    answers.topic,
    answers.provider,
    answers.region,
    answers.branded,
    details.model,
    details.surface,
    details.any_mentioned,
    details.any_cited,
    details.any_visible,
  ]);
  await appendColumns(writer, stages.appearances, [
    appearances.answer,
    appearances.entity,
    appearances.mentioned,
    appearances.cited,
    appearances.visible,
    appearances.rank,
  ]);
}

/** The texts go over in one piece: the engine cuts them up on a thread of its own. */
async function stageCitations(
  writer: DuckDBConnection,
  { citations, urls }: FactRows,
): Promise<void> {
  await appendColumns(writer, stages.citations, [citations.answer, citations.url]);
  await writer.run(stageUrls, [urls.names, urls.domains]);
}
