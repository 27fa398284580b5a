import { spreadsheetText } from "@sightline/contract/spreadsheet-text";
import { faultText } from "../data/fault-text.ts";

/** Gives a file to the browser to save. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser takes the content when it is ready to; a minute is more than it needs.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

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

/** Puts a text into the clipboard. */
export async function copyText(text: string): Promise<void> {
  const isCopied = isSecureContext ? await isWritten(text) : copySelected(text);
  announce(isCopied ? "Copied." : "The browser did not allow copying.");
}

async function isWritten(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Pages over http of another machine have no clipboard of their own; what is selected can be copied
 * as by Ctrl C.
 */
function copySelected(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "visually-hidden";
  field.value = text;
  // Behind an open dialog nothing can be selected.
  (before?.closest("dialog") ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return isCopied;
}

/** Says what went wrong with something that a click began and nothing else shows. */
export function told(work: Promise<unknown>): void {
  work.catch((error: unknown) => announce(faultText(error)));
}

/** How long a notice stands. */
const noticeMs = 3_000;

/** Says something for a moment at the foot of the window; screen readers say it too. */
export function announce(text: string): void {
  const notice = document.createElement("div");
  notice.setAttribute("role", "status");
  notice.className = "notice";
  // What lies behind an open dialog is not read aloud; one that shuts now is gone in a moment.
  requestAnimationFrame(() => {
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    (dialog ?? document.body).append(notice);
    // An element that is already there when its text changes is read aloud.
    requestAnimationFrame(() => {
      notice.textContent = text;
    });
    setTimeout(() => notice.remove(), noticeMs);
  });
}
