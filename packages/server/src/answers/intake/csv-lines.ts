import { isUtf8 } from "node:buffer";
import { type FieldError, nearestName, quoted, urlsOf } from "@sightline/contract";
import { CsvError, parse } from "csv-parse/sync";
import { scanJson } from "../../platform/scan-json.ts";
import { answerLineSchema } from "./answer-schema.ts";
import { BegunLine, isBlank, type Line, lineBytesMax, trimmed } from "./lines.ts";
import { lineBounds, type Rejection, rejectionOf } from "./read-answer-line.ts";

/** What the records of a CSV stream are. */
export interface CsvRecords {
  /** As a message says it: `an answer`. */
  readonly of: string;
  readonly columns: readonly string[];
  /** The column without which a first line names none. */
  readonly required: string;
  /** Columns that are for people. */
  readonly ignored: readonly string[];
  /** Records without a cell in this column are left out; null: none is. */
  readonly skippedWithout: string | null;
  /** A cell as JSON, or why it is none. */
  readonly jsonOf: (column: string, cell: string) => string | FieldError;
}

/** A file whose first line does not name its columns; nothing of it was recorded. */
export class CsvHeaderError extends Error {
  constructor(fault: string, { of }: Pick<CsvRecords, "of">) {
    super(`${fault} The first line of CSV names the columns, which are fields of ${of}`);
    this.name = "CsvHeaderError";
  }
}

/** Records that are answers. */
export const answerRecords: CsvRecords = {
  of: "an answer",
  columns: Object.keys(answerLineSchema.shape),
  required: "provider",
  ignored: [],
  skippedWithout: null,
  jsonOf,
};

/** More unknown columns are counted, not named. */
const unknownNamedMax = 20;
/** A record has as many cells as there are columns; many more are not worth parsing. */
const cellsMax = 1_000;

/**
 * The lines of NDJSON that the records of a CSV stream mean. The first record names the columns; an
 * empty cell is an absent field. A line's number is that on which its record begins.
 * @throws CsvHeaderError
 */
export async function* csvLines(
  chunks: AsyncIterable<Buffer>,
  records: CsvRecords = answerRecords,
): AsyncGenerator<Line> {
  let columns: readonly string[] | null = null;
  for await (const record of csvRecords(chunks)) {
    if (columns === null) {
      columns = columnsOf(record, records);
      continue;
    }
    const line = lineOf(record, columns, records);
    if (line !== null) yield line;
  }
}

/** @throws CsvHeaderError */
function columnsOf(record: CsvRecord, records: CsvRecords): readonly string[] {
  const separator = otherSeparator(record.bytes?.toString() ?? "", records.columns);
  if (separator !== null) throw new CsvHeaderError(separator, records);
  const cells = cellsOf(record);
  if ("reason" in cells) throw new CsvHeaderError(cells.reason, records);
  const columns = cells.map((cell) => cell.trim());
  for (const [place, column] of columns.entries()) {
    if (columns.indexOf(column) < place) {
      throw new CsvHeaderError(`The column ${quoted(column)} is there twice.`, records);
    }
  }
  const known = [...records.columns, ...records.ignored];
  const unknown = columns.filter((column) => !known.includes(column));
  if (unknown.length > 0) {
    throw new CsvHeaderError(unknownColumns(unknown, records.columns), records);
  }
  if (columns.includes(records.required)) return columns;
  throw new CsvHeaderError(`The column "${records.required}" is missing.`, records);
}

const separators = { Semicolons: ";", Tabs: "\t", Bars: "|" };

/** What to do about a first line whose columns are not separated by commas; null: they are. */
function otherSeparator(header: string, columnsKnown: readonly string[]): string | null {
  if (/^"?sep=.?"?$/i.test(header))
    return `${quoted(header)} is a note for Excel. Remove the line.`;
  const namesColumns = (separator: string) => {
    const names = header.split(separator, columnsKnown.length);
    return names.length > 1 && names.map(withoutQuotes).some((name) => columnsKnown.includes(name));
  };
  if (namesColumns(",")) return null;
  const found = Object.entries(separators).find(([, separator]) => namesColumns(separator));
  return found === undefined
    ? null
    : `${found[0]} separate the columns, and commas must: save the file as CSV with commas.`;
}

function withoutQuotes(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, "$1")
    .trim();
}

function unknownColumns(unknown: readonly string[], columnsKnown: readonly string[]): string {
  const named = unknown.slice(0, unknownNamedMax).map((column) => {
    return { name: quoted(column), nearest: nearestName(column, columnsKnown) };
  });
  const known = `Known columns: ${columnsKnown.join(", ")}.`;
  const [only] = named;
  if (only !== undefined && unknown.length === 1) {
    const advice = only.nearest === null ? known : `Did you mean ${only.nearest}?`;
    return `${only.name} is not a known column. ${advice}`;
  }
  const names = named.map(({ name, nearest }) => {
    return nearest === null ? name : `${name} (did you mean ${nearest}?)`;
  });
  const others = unknown.length - named.length;
  if (others > 0) names.push(`${others} more`);
  return `Not known as columns: ${names.join(", ")}. ${known}`;
}

/** Null: every cell is empty, as at the end of many a spreadsheet. */
function lineOf(
  record: CsvRecord,
  columns: readonly string[],
  { ignored, skippedWithout, jsonOf: written }: CsvRecords,
): Line | null {
  const { number, bytes, endByte } = record;
  const rejected = (rejection: Rejection) => ({ number, bytes, endByte, rejection });
  const cells = cellsOf(record);
  if ("reason" in cells) return rejected(cells);
  if (cells.every((cell) => cell === "")) return null;
  if (cells.length !== columns.length) return rejected(otherCount(cells.length, columns.length));
  const faults: FieldError[] = [];
  const fields: string[] = [];
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? "";
    if (cell === "" && column === skippedWithout) return null;
    if (cell === "" || ignored.includes(column)) continue;
    const value = written(column, cell);
    if (typeof value === "string") fields.push(`${JSON.stringify(column)}:${value}`);
    else faults.push(value);
  }
  if (faults.length > 0) return rejected(rejectionOf(faults));
  return { number, bytes: Buffer.from(`{${fields.join(",")}}`), endByte };
}

function otherCount(cells: number, columns: number): Rejection {
  const reason =
    `The record has ${cells} ${cells === 1 ? "cell" : "cells"}, and the first line names ` +
    `${columns} columns. Quote cells that have a comma or a line break.`;
  return { reason, errors: [] };
}

/** A cell as JSON, or why it is none. */
function jsonOf(column: string, cell: string): string | FieldError {
  if (column === "sample") return /^-?(0|[1-9]\d*)$/.test(cell) ? cell : JSON.stringify(cell);
  if (column === "metadata" || column === "cost") return checkedJson(column, cell);
  if (column !== "citations" && column !== "searchQueries") return JSON.stringify(cell);
  if (cell.trimStart().startsWith("[")) return checkedJson(column, cell);
  if (column === "searchQueries") return JSON.stringify(partsOf(cell, /[\r\n]+/));
  return JSON.stringify(urlsOf(cell).map((url) => ({ url })));
}

function partsOf(cell: string, separator: RegExp): readonly string[] {
  return cell.split(separator).filter((part) => part !== "");
}

/** JSON stands in the line as it is: it must not say anything else. */
function checkedJson(column: string, cell: string): string | FieldError {
  const path = `/${column}`;
  const { beyond } = scanJson(cell, lineBounds);
  if (beyond !== null) return { path, code: "too_large", message: `${beyond}.` };
  try {
    JSON.parse(cell);
    return cell;
  } catch {
    return { path, code: "wrong_format", message: `must be JSON, got ${quoted(cell)}.` };
  }
}

// A record has no line feed outside of quotes, and a carriage return alone is text.
const options = { record_delimiter: "\n", relax_column_count: true };

/** The cells of one record, or why it is none. */
function cellsOf({ bytes, cells }: CsvRecord): readonly string[] | Rejection {
  if (bytes === null) return rejected(tooLong);
  if (cells > cellsMax) return rejected(`The record has more than ${cellsMax} cells.`);
  if (!isUtf8(bytes)) return rejected("The record is not UTF-8.");
  try {
    const [record = []] = parse(bytes, options) as string[][];
    return record;
  } catch (error) {
    if (error instanceof CsvError) return rejected(quoteFault(error.code));
    throw error;
  }
}

const tooLong =
  `The record is longer than ${lineBytesMax} bytes. ` +
  "Is a quote not closed? The records up to the next quote are part of it.";

function quoteFault(code: string): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "A quoted cell is not closed.";
  return 'A cell with a quote must be quoted, with each quote in it doubled: "say ""yes""".';
}

function rejected(reason: string): Rejection {
  return { reason, errors: [] };
}

/** A record of CSV as read, with the line that it begins on as its number. */
interface CsvRecord extends Line {
  /** How many cells it has, going by the commas outside of quotes. */
  readonly cells: number;
}

const quote = 0x22;
const comma = 0x2c;
const lineFeed = 0x0a;
const byteOrderMark = [0xef, 0xbb, 0xbf];

/** Where a byte is, between the bytes before it. */
class Place {
  isQuoted = false;
  /** The last byte closed a quote: another quote makes a pair of the two, which is one of text. */
  #isClosed = false;
  /** A quote opens a cell only at its beginning; elsewhere it is a fault of this record alone. */
  #isFresh = true;
  #bytes = 0;
  cells = 1;

  /** @returns whether the byte ends a record. */
  take(byte: number): boolean {
    const isMark = this.#bytes < 3 && byte === byteOrderMark[this.#bytes];
    this.#bytes++;
    if (byte === quote) {
      const opens = !this.isQuoted && (this.#isFresh || this.#isClosed);
      this.#isClosed = this.isQuoted;
      this.isQuoted = opens;
      this.#isFresh = false;
      return false;
    }
    this.#isClosed = false;
    if (this.isQuoted || isMark) return false;
    this.#isFresh = byte === comma || byte === lineFeed;
    if (byte === comma) this.cells++;
    return byte === lineFeed;
  }
}

/**
 * The records of a CSV stream (RFC 4180), which end in LF or CRLF outside of quotes. Blank ones are
 * skipped. Memory use is at most one record and one chunk.
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer>,
  bytesMax = lineBytesMax,
): AsyncGenerator<CsvRecord> {
  const place = new Place();
  let line = 1;
  let number = 1;
  let endByte = 0;
  const begun = new BegunLine(bytesMax);
  const finish = (last: Buffer): CsvRecord => {
    const whole = begun.end(last);
    const bytes = whole === null ? null : trimmed(whole, number === 1);
    const record = { number, bytes, endByte, cells: place.cells };
    number = line;
    place.cells = 1;
    return record;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === lineFeed) line++;
      if (!place.take(byte)) continue;
      const last = chunk.subarray(start, at);
      endByte += at + 1 - start;
      start = at + 1;
      const record = finish(last);
      if (!isBlank(record)) yield record;
    }
    const rest = chunk.subarray(start);
    endByte += rest.length;
    begun.add(rest);
  }
  if (begun.isEmpty) return;
  const record = finish(Buffer.alloc(0));
  if (!isBlank(record)) yield record;
}
