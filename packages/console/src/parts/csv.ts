import { spreadsheetText } from "@sightline/contract/spreadsheet-text";
import { saveFile } from "./save.ts";

/** One value of a CSV file. */
export type Cell = string | number | boolean | null;

/** plain: for programs. excel: for spreadsheets where numbers are 0,5 and `;` separates cells. */
export type CsvForm = "plain" | "excel";

/** A table to be saved. */
export interface SavedTable {
  /** The file's name, without its ending. */
  readonly name: string;
  /** What the table is of, in words: a spreadsheet has it above the table. */
  readonly about: readonly string[];
  /** The first row names the columns. */
  readonly rows: readonly (readonly Cell[])[];
}

/** Saves a table as CSV. */
export function saveCsv({ name, about, rows }: SavedTable, form: CsvForm): void {
  if (form === "plain") saveFile(`${name}.csv`, csvOf(rows, form));
  else saveFile(`${name}-excel.csv`, csvOf([...about.map((text) => [text]), [], ...rows], form));
}

/** CSV as RFC 4180 has it, with a mark by which spreadsheets know UTF-8. */
export function csvOf(rows: readonly (readonly Cell[])[], form: CsvForm): Blob {
  const separator = form === "plain" ? "," : ";";
  const lines = rows.map(
    (cells) => `${cells.map((cell) => cellText(cell, form)).join(separator)}\r\n`,
  );
  return new Blob(["\ufeff", ...lines], { type: "text/csv;charset=utf-8" });
}

/** An instant, which spreadsheets read as a date without its letters. */
const instant = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/;

function cellText(cell: Cell, form: CsvForm): string {
  if (cell === null) return "";
  if (typeof cell === "number") {
    return form === "plain" ? String(cell) : String(cell).replace(".", ",");
  }
  if (typeof cell !== "string") return String(cell);
  const [, date, time] = (form === "excel" ? instant.exec(cell) : null) ?? [];
  if (date !== undefined) return time === "00:00:00" ? date : `${date} ${time}`;
  const text = spreadsheetText(cell);
  return (form === "plain" ? /[",\r\n]/ : /[";\r\n]/).test(text)
    ? `"${text.replaceAll('"', '""')}"`
    : text;
}
