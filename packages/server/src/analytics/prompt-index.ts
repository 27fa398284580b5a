import {
  type AnswerRows,
  type AnswerSegment,
  answerColumns,
  indexAnswers,
  type Numbers,
} from "./index-answers.ts";
import { type DaySums, daySums } from "./index-days.ts";
import { type AppearanceRows, firstRowDay, narrow, packedRows } from "./index-rows.ts";

/** The columns of each table that are indexed. */
export const indexedColumns = {
  appearances: [...answerColumns, "entity", "marks", "rank"],
  citations: [...answerColumns, "domain_number", "url_number"],
} as const;

/** The tables that are indexed. */
export type IndexedTable = keyof typeof indexedColumns;

/** The columns of an indexed table. */
export type IndexedColumn<Table extends IndexedTable> = (typeof indexedColumns)[Table][number];

/** Rows in the order in which they lie: a row is one place in each column. */
export type IndexedRows<Table extends IndexedTable> = AnswerRows &
  Readonly<Record<IndexedColumn<Table>, Numbers>>;

/** Appearances by prompt, and what is derived of them. */
export interface AppearanceSegment extends AppearanceRows {
  /** Null: they are not worth it. */
  readonly days: DaySums | null;
}

/** Citations, one place a row, answer by answer: the numbers of the domain and of the URL. */
export interface CitationSegment extends AnswerSegment {
  readonly domain: Int32Array;
  readonly url: Int32Array;
  /** The largest of each. */
  readonly largest: { readonly domain: number; readonly url: number };
}

/** Builds the index of some rows; there is at least one. About 50 ns a row. */
export function appearanceSegment(rows: IndexedRows<"appearances">): AppearanceSegment {
  const { answers, order } = indexAnswers(rows);
  const packed = packedRows(rows, firstRowDay(answers));
  const columns: AppearanceRows = {
    ...answers,
    row: inOrder(packed, order, new Int32Array(order.length)),
    rank: narrow(inOrder(rows.rank, order, new Uint16Array(order.length))),
    entities: largestOf(rows.entity) + 1,
  };
  return { ...columns, days: daySums(columns) };
}

/** Builds the index of some rows; there is at least one. */
export function citationSegment(rows: IndexedRows<"citations">): CitationSegment {
  const { answers, order } = indexAnswers(rows);
  return {
    ...answers,
    domain: inOrder(rows.domain_number, order, new Int32Array(order.length)),
    url: inOrder(rows.url_number, order, new Int32Array(order.length)),
    largest: { domain: largestOf(rows.domain_number), url: largestOf(rows.url_number) },
  };
}

/** The rows of a column in another order. A plain loop: `from` with a function takes far longer. */
function inOrder<Into extends Int32Array | Uint16Array>(
  column: Numbers,
  order: Int32Array,
  into: Into,
): Into {
  for (let place = 0; place < order.length; place++) into[place] = column[order[place] ?? 0] ?? 0;
  return into;
}

function largestOf(numbers: Numbers): number {
  let largest = 0;
  for (let place = 0; place < numbers.length; place++) {
    largest = Math.max(largest, numbers[place] ?? 0);
  }
  return largest;
}
