import { DuckDBListVector, type DuckDBVector } from "@duckdb/node-api";
import {
  type HeldRows,
  heldColumns,
  type SumsShape,
  type WholeNumbers,
} from "../../analytics/held-rollup.ts";
import type { TimeSeriesPlan } from "../../analytics/plan.ts";
import {
  type IndexedRows,
  type IndexedTable,
  indexedColumns,
} from "../../analytics/prompt-index.ts";
import type { SourcesFacts } from "../../analytics/source-page.ts";
import type { Chunks } from "./run-statement.ts";

/** Reads (bucket, entity, one sum a measure) into an array a measure: entity × buckets + bucket. */
export function readSums(
  chunks: Chunks,
  { firstBucket, measures }: TimeSeriesPlan,
  { entities, buckets }: SumsShape,
): readonly Float64Array[] {
  const sums = measures.map(() => new Float64Array(entities * buckets));
  for (const chunk of chunks) {
    const { rowCount } = chunk;
    const bucketOf = numbers(chunk.getColumnVector(0));
    const entityOf = numbers(chunk.getColumnVector(1));
    for (const [measure, into] of sums.entries()) {
      const sumOf = numbers(chunk.getColumnVector(2 + measure));
      for (let row = 0; row < rowCount; row++) {
        const place = entityOf(row) * buckets + bucketOf(row) - firstBucket;
        into[place] = (into[place] ?? 0) + sumOf(row);
      }
    }
  }
  return sums;
}

/** Reads (total, all citations, source, its citations); the source is null on an empty page. */
export function readSources(chunks: Chunks): Omit<SourcesFacts, "used"> {
  const page: { readonly source: string; readonly citations: number }[] = [];
  let [total, citations] = [0, 0];
  for (const chunk of chunks) {
    const own = numbers(chunk.getColumnVector(3));
    const names = chunk.getColumnVector(2);
    total = numbers(chunk.getColumnVector(0))(0);
    citations = numbers(chunk.getColumnVector(1))(0);
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const source = names.getItem(row);
      if (source !== null) page.push({ source: String(source), citations: own(row) });
    }
  }
  return { total, citations, page };
}

/** Reads one row's list of integers; empty when the list is null. */
export function readIntegers(chunks: Chunks, column: number): Int32Array {
  const list = readList(chunks, column);
  if (!(list instanceof Int32Array)) throw new Error("facts: a list is not of integers");
  return list;
}

/** Reads (watermark, last compaction or null, last row or null, a list a held column). */
export function readHeldRows(chunks: Chunks) {
  return {
    watermark: readNumber(chunks, 0) ?? 0,
    compaction: readNumber(chunks, 1),
    lastRow: readNumber(chunks, 2),
    rows: readLists(chunks, heldColumns, 3) as HeldRows,
  };
}

/** Reads (watermark, a list an indexed column). */
export function readIndexedRows<Table extends IndexedTable>(chunks: Chunks, table: Table) {
  const rows: unknown = readLists(chunks, indexedColumns[table], 1);
  return { watermark: readNumber(chunks, 0) ?? 0, rows: rows as IndexedRows<Table> };
}

/** Reads one number. */
export function readCount(chunks: Chunks): number {
  return readNumber(chunks, 0) ?? 0;
}

/** Of the first row; null where there is nothing. */
function readNumber([chunk]: Chunks, column: number): number | null {
  const value = chunk?.getColumnVector(column).getItem(0) ?? null;
  return value === null ? null : Number(value);
}

function readLists<Name extends string>(chunks: Chunks, names: readonly Name[], first: number) {
  const lists = names.map((name, index) => [name, readList(chunks, first + index)] as const);
  return Object.fromEntries(lists) as Record<Name, Float64Array | WholeNumbers>;
}

function readList(chunks: Chunks, column: number): Float64Array | WholeNumbers {
  const [chunk] = chunks;
  const list = chunk?.getColumnVector(column);
  if (!(list instanceof DuckDBListVector)) throw new Error("facts: a column is no list");
  // Not `getItemVector`, which copies the list.
  const held = heldValues(list.childVector);
  if (held === null) throw new Error("facts: a list is not of numbers");
  const start = list.getEntryOffset(0);
  return held.subarray(start, start + list.getEntryLength(0));
}

/** Reads (number, name) into a map. */
export function readNames(chunks: Chunks): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const chunk of chunks) {
    const numberOf = numbers(chunk.getColumnVector(0));
    const nameOf = chunk.getColumnVector(1);
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) names.set(numberOf(row), String(nameOf.getItem(row)));
  }
  return names;
}

/** Reads (day, citations), and where the day is null (domains, URLs, providers, regions). */
export function readCitationStatistics(chunks: Chunks) {
  const byDay = new Map<number, number>();
  let others: readonly number[] = [];
  for (const chunk of chunks) {
    const columns = [1, 2, 3, 4].map((column) => numbers(chunk.getColumnVector(column)));
    const days = chunk.getColumnVector(0);
    const { rowCount } = chunk;
    for (let row = 0; row < rowCount; row++) {
      const day = days.getItem(row);
      const values = columns.map((column) => column(row));
      if (day === null) others = values;
      else byDay.set(Number(day), values[0] ?? 0);
    }
  }
  const [domain = 0, url = 0, provider = 0, region = 0] = others;
  return { byDay, sources: { domain, url }, values: { provider, region } };
}

/** A column of numbers without nulls. */
function numbers(vector: DuckDBVector): (row: number) => number {
  const held = heldValues(vector);
  return held === null ? (row) => Number(vector.getItem(row)) : (row) => held[row] ?? 0;
}

/**
 * TRICKY: the array that a vector of numbers holds, which the engine's package does not show: its
 * own `getItem` looks up each value's validity, which takes twenty times as long. Null: another.
 */
function heldValues(vector: DuckDBVector): Float64Array | WholeNumbers | null {
  const held: unknown = Reflect.get(vector, "items");
  if (held instanceof Float64Array || held instanceof Int32Array) return held;
  if (held instanceof Uint16Array || held instanceof Int16Array) return held;
  return held instanceof Uint8Array ? held : null;
}
