import { readXlsx, streamXlsxRows } from "hucre/xlsx";
import { cellsMax, isOldWorkbook, rowCharactersMax, type SheetRow } from "./rows.ts";

/** The largest workbook that is opened: 60,000 long answers take some 30 MB. */
export const workbookBytesMax = 64 * 1024 * 1024;
/** The most bytes of its parts together once they are unpacked. */
const unpackedBytesMax = 192 * 1024 * 1024;
const partsMax = 10_000;
/** The most cells of a sheet: one cell far to the right makes its row as wide. */
const sheetCellsMax = 20_000_000;

/** A workbook that is not read, and why. */
export class WorkbookError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "WorkbookError";
  }
}

/** The names of a workbook's sheets, in its order, without hidden ones. @throws WorkbookError */
export async function sheetNames(bytes: Uint8Array): Promise<readonly string[]> {
  requireBounds(bytes);
  const names: string[] = [];
  const sheets = ({ name, hidden, veryHidden }: SheetShown): boolean => {
    if (hidden !== true && veryHidden !== true) names.push(name);
    return false;
  };
  await readable(() => readXlsx(bytes, { sheets }));
  return names;
}

interface SheetShown {
  readonly name: string;
  readonly hidden?: boolean;
  readonly veryHidden?: boolean;
}

/**
 * The rows of a sheet. Cells are as a person reads them, apart from the form of numbers: a date is
 * `2026-11-10T09:30:00`, as the clock on the wall said. @throws WorkbookError
 */
export async function* workbookRows(bytes: Uint8Array, sheet: string): AsyncGenerator<SheetRow> {
  requireBounds(bytes);
  const rows = streamXlsxRows(bytes, { sheet });
  let cells = 0;
  try {
    for (;;) {
      const { value, done } = await readable(() => rows.next());
      if (done === true) return;
      cells += value.values.length;
      if (cells > sheetCellsMax) {
        throw new WorkbookError(
          `The sheet is wider or longer than ${sheetCellsMax} cells. Save what is needed as CSV.`,
        );
      }
      yield rowOf(value.index + 1, value.values);
    }
  } finally {
    await rows.return();
  }
}

type CellValue = string | number | boolean | Date | null;

function rowOf(number: number, values: readonly CellValue[]): SheetRow {
  const cells = values.slice(0, cellsMax).map(cellText);
  while (cells.length > 0 && cells.at(-1) === "") cells.pop();
  const characters = cells.reduce((sum, { length }) => sum + length, 0);
  if (values.length > cellsMax) {
    return { number, cells, fault: `The row has more than ${cellsMax} cells.` };
  }
  if (characters <= rowCharactersMax) return { number, cells };
  return { number, cells: [], fault: `The row is longer than ${rowCharactersMax} characters.` };
}

function cellText(value: CellValue): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return dateText(value);
  return typeof value === "boolean" ? String(value).toUpperCase() : String(value);
}

/** A time of day without a day is one of the day 0, which programs count as 30 or 31 December. */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return "";
  // A serial number of days has no exact seconds.
  const text = new Date(Math.round(date.getTime() / 1_000) * 1_000).toISOString();
  const [day = "", time = ""] = text.slice(0, 19).split("T");
  if (/^(1899-12-3\d|1900-01-00|1904-01-01)$/.test(day)) return time;
  return time === "00:00:00" ? day : `${day}T${time}`;
}

/** What a library says of a file is for its author: a reader is told what to do. */
async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/\.$/, "") : String(error);
    throw new WorkbookError(
      `The workbook cannot be read: ${reason}. Save it as .xlsx again, or as CSV.`,
    );
  }
}

/**
 * Before anything is unpacked, what the archive says of itself. The library unpacks no part beyond
 * the size that is declared here, so a file that lies about it is damaged, not large.
 */
function requireBounds(bytes: Uint8Array): void {
  if (isOldWorkbook(bytes)) {
    throw new WorkbookError(
      "This is a workbook of Excel 97 (.xls), or one with a password. Save it as .xlsx, without " +
        "a password.",
    );
  }
  if (bytes.length > workbookBytesMax) throw new WorkbookError(tooLarge(workbookBytesMax));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfArchive(view);
  if (end === null) throw new WorkbookError("The file is cut off, or no workbook. Save it again.");
  const parts = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let unpacked = 0;
  for (let part = 0; part < parts; part++) {
    if (at + 46 > end || view.getUint32(at, true) !== partSignature) {
      throw new WorkbookError(
        "The workbook is damaged: its list of parts breaks off. Save it again.",
      );
    }
    unpacked += unpackedSize(view, at);
    const lengths = [28, 30, 32].map((field) => view.getUint16(at + field, true));
    at += lengths.reduce((sum, length) => sum + length, 46);
  }
  if (parts > partsMax || unpacked > unpackedBytesMax) {
    throw new WorkbookError(tooLarge(unpackedBytesMax, " unpacked"));
  }
}

const partSignature = 0x02014b50;
const endSignature = 0x06054b50;

/** As the list of parts says it; a part that says nothing would be unpacked without a bound. */
function unpackedSize(view: DataView, at: number): number {
  const isUntold = view.getUint16(at + 8, true) % 16 >= 8; // told after the part itself
  const [packed, size] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true)];
  return size === 0 && (packed > 2 || isUntold) ? Number.POSITIVE_INFINITY : size;
}

/**
 * Where the archive's last record begins; a comment may follow it. Archives of more than 4 GB have
 * another record, which the library would believe instead: they are refused.
 */
function endOfArchive(view: DataView): number | null {
  const last = view.byteLength - 22;
  for (let at = last; at >= Math.max(0, last - 65_535); at--) {
    if (view.getUint32(at, true) !== endSignature) continue;
    const isLarge = view.getUint16(at + 10, true) === 0xffff;
    const isFar = [12, 16].some((field) => view.getUint32(at + field, true) === 0xffffffff);
    return isLarge || isFar ? null : at;
  }
  return null;
}

function tooLarge(bytes: number, unpacked = ""): string {
  const size = `${bytes / 1024 / 1024} MiB${unpacked}`;
  return `The workbook is larger than ${size}. Save the sheet as CSV, which may have any size.`;
}
