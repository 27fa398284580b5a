import type { DuckDBConnection, DuckDBValue } from "@duckdb/node-api";
import type { AnswerColumns, FactRows } from "../fact-rows.ts";
import { appendColumns } from "./append-columns.ts";
import { appearanceColumns, passedOverColumns, stagedColumns, stagingSteps } from "./layout.ts";

const appearancesTable = { table: "appearances", columns: appearanceColumns };
const stagedTable = { table: "staged", columns: stagedColumns };
const passedOverTable = { table: "passed_over", columns: passedOverColumns };

/** Adds a batch's rows and its watermark, within the writer's transaction. */
export async function appendFactRows(writer: DuckDBConnection, rows: FactRows): Promise<void> {
  const { appearances, citations, passedOver, lastSequence } = rows;
  await appendColumns(writer, appearancesTable, [
    ...answerValues(appearances),
    appearances.entity,
    appearances.mentioned,
    appearances.cited,
    appearances.visible,
    appearances.rank,
  ]);
  if (citations.url.length > 0) {
    await appendColumns(writer, stagedTable, [
      ...answerValues(citations),
      citations.url,
      citations.domain,
    ]);
    for (const step of stagingSteps) await writer.run(step);
  }
  await appendColumns(writer, passedOverTable, [passedOver]);
  await writer.run("insert into marks values ($1)", [BigInt(lastSequence)]);
}

/** In the order of the layout's answer columns. */
function answerValues(columns: AnswerColumns): readonly (readonly DuckDBValue[])[] {
  return [
    columns.answeredAt.map(BigInt),
    columns.day,
    columns.month,
    columns.prompt,
    columns.topic,
    columns.provider,
    columns.region,
    columns.branded.map(Boolean),
  ];
}
