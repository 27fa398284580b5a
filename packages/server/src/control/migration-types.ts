import type { ColumnDataType, Expression, Kysely } from "kysely";

/** The tables as a migration sees them: those of its time, not the current ones. */
export type AnyTables = Kysely<Record<string, Record<string, unknown>>>;

type ColumnType = ColumnDataType | Expression<unknown>;

/** Column types whose name or collation differs between the engines. */
export interface ColumnTypes {
  /** Ordered by code unit. */
  readonly text: ColumnType;
  readonly bytes: ColumnType;
}
