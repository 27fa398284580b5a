import type { ColumnDataType, Expression, Kysely } from "kysely";

/** A migration sees the tables of its own time, not the current ones. */
export type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

type ColumnType = ColumnDataType | Expression<unknown>;

/** Types of columns that have another name or another order on each engine. */
export interface ColumnTypes {
  /** Compared by code unit. */
  readonly text: ColumnType;
  readonly bytes: ColumnType;
}
