/** A row of a table, as it was read. */
export interface SheetRow {
  /** From 1, as a spreadsheet program counts: a record with line breaks in it is one row. */
  readonly number: number;
  readonly cells: readonly string[];
  /** Why its cells cannot be trusted; omitted: nothing is against it so far. */
  readonly fault?: string;
  /** The text ends with it, without a line ending. */
  readonly isEnd?: boolean;
}

/** The letter of a column, as a spreadsheet program names it: 0 is `A`, 26 is `AA`. */
export function columnLetter(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : `${columnLetter(Math.floor(place / 26) - 1)}${last}`;
}

/** The place of a column by its letter, in either case; null: no letter of a column. */
export function columnPlace(letter: string): number | null {
  if (!/^[a-z]{1,3}$/i.test(letter)) return null;
  const digits = [...letter.toUpperCase()].map((each) => each.charCodeAt(0) - 64);
  return digits.reduce((sum, digit) => sum * 26 + digit, 0) - 1;
}

/** The most characters of a row: what the service takes as a line, and more than any program's. */
export const rowCharactersMax = 4 * 1024 * 1024;
/** The most cells of a row: spreadsheets of answers have ten. */
export const cellsMax = 1_000;

/**
 * Whether a file's first bytes are those of a workbook: a ZIP archive, or what Excel 97 and
 * programs with passwords wrote, which is refused when it is read.
 */
export function isWorkbook(head: Uint8Array): boolean {
  return startsWith(head, [0x50, 0x4b, 0x03, 0x04]) || isOldWorkbook(head);
}

/** Whether a file is a workbook of Excel 97 (.xls), or one with a password. */
export function isOldWorkbook(head: Uint8Array): boolean {
  return startsWith(head, [0xd0, 0xcf, 0x11, 0xe0]);
}

function startsWith(bytes: Uint8Array, begin: readonly number[]): boolean {
  return begin.every((byte, at) => bytes[at] === byte);
}
