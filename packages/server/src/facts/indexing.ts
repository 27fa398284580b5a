import type { AnswerSegment } from "../analytics/index-answers.ts";
import type { Pause } from "../analytics/index-stretches.ts";
import { mergedAppearances, mergedCitations } from "../analytics/merge-segments.ts";
import {
  appearanceSegment,
  citationSegment,
  type IndexedRows,
  type IndexedTable,
} from "../analytics/prompt-index.ts";
import { readIndexedRows } from "./duckdb/read-results.ts";
import type { Chunks } from "./duckdb/run-statement.ts";

/** A table that can be indexed, and how its rows are read. */
export interface Indexing<Segment extends AnswerSegment> {
  readonly table: IndexedTable;
  readonly read: (chunks: Chunks) => {
    readonly watermark: number;
    /** Null: there was no row. */
    readonly segment: Segment | null;
  };
  readonly merge: (parts: readonly Segment[], pause: Pause) => Promise<Segment>;
}

/** Appearances by prompt. */
export const indexedAppearances = indexing("appearances", appearanceSegment, mergedAppearances);

/** Citations by prompt. */
export const indexedCitations = indexing("citations", citationSegment, mergedCitations);

function indexing<Table extends IndexedTable, Segment extends AnswerSegment>(
  table: Table,
  segmentOf: (rows: IndexedRows<Table>) => Segment,
  merge: Indexing<Segment>["merge"],
): Indexing<Segment> {
  const read = (chunks: Chunks) => {
    const { watermark, rows } = readIndexedRows(chunks, table);
    return { watermark, segment: rows.prompt.length === 0 ? null : segmentOf(rows) };
  };
  return { table, read, merge };
}
