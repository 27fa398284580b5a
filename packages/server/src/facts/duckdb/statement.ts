import type { DuckDBDataChunk } from "@duckdb/node-api";
import { checkedValue, type Row, type RowShape } from "../../platform/row-shape.ts";

export type { Row, RowShape };

/** A value that is bound to a statement, with its place's type. */
export type BoundValue =
  | { readonly type: "integer" | "smallint" | "usmallint" | "utinyint"; readonly value: number }
  /** An integer that may not fit 32 bits: an instant, an offset. */
  | { readonly type: "bigint"; readonly value: number }
  | { readonly type: "integers"; readonly value: readonly number[] }
  | { readonly type: "text"; readonly value: string };

/** SQL of a closed set of texts, with the values that are bound to it. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly BoundValue[];
}

/** A statement: its text, its parameters, and the shape of the rows that it gives. */
export interface Statement<Shape extends RowShape> extends Fragment {
  readonly shape: Shape;
}

/** Fragments as one, with a separator between their texts. */
export function joined(separator: string, fragments: readonly Fragment[]): Fragment {
  return {
    sql: fragments.map(({ sql }) => sql).join(separator),
    values: fragments.flatMap(({ values }) => values),
  };
}

/**
 * The rows of a result, in order; it can be paused after each chunk. @throws when a value is not
 * what the shape says, which only a statement of ours that is wrong can cause.
 */
export function* readRows<Shape extends RowShape>(
  shape: Shape,
  chunks: readonly DuckDBDataChunk[],
): Generator<void, readonly Row<Shape>[]> {
  const kinds = Object.entries(shape);
  const rows: Row<Shape>[] = [];
  for (const chunk of chunks) {
    if (chunk.columnCount !== kinds.length) {
      throw new Error(`facts: ${chunk.columnCount} columns came, ${kinds.length} were expected`);
    }
    const columns = kinds.map(([name, kind], index) => {
      return { name, kind, vector: chunk.getColumnVector(index) };
    });
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const values: Record<string, unknown> = {};
      for (const { name, kind, vector } of columns) {
        values[name] = checkedValue(name, kind, vector.getItem(row));
      }
      rows.push(values as Row<Shape>);
    }
    yield;
  }
  return rows;
}
