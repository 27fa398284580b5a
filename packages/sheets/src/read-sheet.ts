import { quoted } from "@sightline/contract/quoted";
import { delimitedRows, encodings, separators } from "./delimited-text.ts";
import { guessEncoding, guessSeparator, headBytesMax } from "./guess.ts";
import { type MappedAnswer, RowMapper } from "./map-rows.ts";
import { type Columns, columnsOf, type SheetMapping, type TableFormat } from "./mapping.ts";
import { OpenQuestions, questionText } from "./questions.ts";
import { isWorkbook, type SheetRow } from "./rows.ts";

/** A mapping that does not fit its table, or leaves something open. Nothing was mapped. */
export class MappingError extends Error {
  /** Each a sentence, with the name of what must be written. */
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(faults.join(" "));
    this.name = "MappingError";
    this.faults = faults;
  }
}

/** So many rows are looked at before the first is mapped. */
export const sampleRowsMax = 1_000;

/** A table whose mapping leaves nothing open. */
export interface MappedSheet {
  readonly columns: Columns;
  /** How many dates so far had no time of day. */
  readonly daysCount: () => number;
  readonly answers: AsyncGenerator<MappedAnswer>;
}

/**
 * Maps the table in a stream: text with separators, or a workbook. What the mapping does not say is
 * found in the first rows. Memory holds these and one answer, of a workbook the workbook.
 * @throws MappingError, EncodingError, WorkbookError
 */
export async function mapSheet(
  chunks: AsyncIterable<Uint8Array>,
  mapping: SheetMapping,
): Promise<MappedSheet> {
  return mapRows(await rowsIn(chunks, mapping), mapping);
}

/**
 * Maps the rows of a table, whatever they were read from. Rows of providers that are not known are
 * asked about, or else rejected.
 * @throws MappingError
 */
export async function mapRows(
  rows: AsyncGenerator<SheetRow>,
  mapping: SheetMapping,
  unknownProviders: "asked" | "rejected" = "asked",
): Promise<MappedSheet> {
  const sample: SheetRow[] = [];
  while (sample.length < sampleRowsMax) {
    const { value, done } = await rows.next();
    if (done === true) break;
    sample.push(value);
  }
  const columns = columnsOf(mapping, sample);
  if ("faults" in columns) throw new MappingError(columns.faults);
  const open = new OpenQuestions(mapping, columns);
  for (const row of sample) open.add(row);
  const asked = open
    .questions()
    .filter(({ about }) => about !== "providerName" || unknownProviders === "asked");
  const faults = asked.map(questionText);
  if (faults.length > 0) throw new MappingError(faults);
  const { dateOrder } = open;
  const whole = dateOrder === null ? mapping : { ...mapping, dateOrder };
  const mapper = new RowMapper(whole, columns);
  const answers = answersOf(mapper, sample, rows);
  return { columns, answers, daysCount: () => mapper.daysCount };
}

async function* answersOf(
  mapper: RowMapper,
  sample: readonly SheetRow[],
  rows: AsyncIterable<SheetRow>,
): AsyncGenerator<MappedAnswer> {
  for (const row of sample) yield* mapper.map(row);
  for await (const row of rows) yield* mapper.map(row);
  yield* mapper.end();
}

/**
 * The rows of the table in a stream; the encoding, the separator and the sheet are found where the
 * mapping does not say them. @throws MappingError, EncodingError, WorkbookError
 */
export async function rowsIn(
  chunks: AsyncIterable<Uint8Array>,
  mapping: TableFormat,
): Promise<AsyncGenerator<SheetRow>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { begun, isWhole } = await headOf(iterator);
  const head = joined(begun);
  if (!isWorkbook(head)) {
    const { encoding, separator } = textFormat(head, isWhole, mapping);
    return delimitedRows(whole(begun, iterator), { encoding, separator });
  }
  const { workbookRows, sheetNames, workbookBytesMax } = await import("./workbook.ts");
  const bytes = await collected(whole(begun, iterator), workbookBytesMax + 1);
  const names = await sheetNames(bytes);
  return workbookRows(bytes, sheetOf(names, mapping.sheet));
}

async function headOf(iterator: AsyncIterator<Uint8Array>) {
  const begun: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < headBytesMax) {
    const { value, done } = await iterator.next();
    if (done === true) return { begun, isWhole: true };
    begun.push(value);
    bytes += value.length;
  }
  return { begun, isWhole: false };
}

async function* whole(
  begun: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* begun;
    for (;;) {
      const { value, done } = await rest.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}

async function collected(
  chunks: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes >= bytesMax) break; // which is refused by its size
  }
  return joined(pieces);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

function textFormat(head: Uint8Array, isWhole: boolean, mapping: TableFormat) {
  const encoding = guessEncoding(head);
  const separator = guessSeparator(
    new TextDecoder(mapping.encoding ?? encoding.value).decode(head),
    isWhole,
  );
  const faults: string[] = [];
  if (mapping.encoding === undefined && !encoding.isCertain) {
    faults.push(
      `encoding: the bytes of the file do not tell it. Write ${orList(encodings)}; ` +
        "files of Excel that are not Unicode are most often windows-1252.",
    );
  }
  if (mapping.separator === undefined && !separator.isCertain) {
    faults.push(`separator: the rows do not tell it. Write ${orList(separators.map(quoted))}.`);
  }
  if (faults.length > 0) throw new MappingError(faults);
  return {
    encoding: mapping.encoding ?? encoding.value,
    separator: mapping.separator ?? separator.value,
  };
}

/** `a, b or c` */
function orList(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

function sheetOf(names: readonly string[], wanted: string | undefined): string {
  const [only, ...others] = names;
  const known = names.map((name) => quoted(name)).join(", ");
  if (wanted !== undefined) {
    if (names.includes(wanted)) return wanted;
    throw new MappingError([
      `sheet: the workbook has no sheet ${quoted(wanted)}. It has ${known}.`,
    ]);
  }
  if (only !== undefined && others.length === 0) return only;
  const faults =
    only === undefined
      ? "The workbook has no sheet."
      : `sheet: the workbook has several. Write one of ${known}.`;
  throw new MappingError([faults]);
}
