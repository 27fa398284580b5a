import { safeText } from "./safe-text.ts";

/**
 * What a spreadsheet takes for the beginning of a formula, after spaces or not: OWASP's list with
 * the full-width forms, and `|`, at which DDE calls of old began.
 */
const formula = /^\s*[=+\-@|＝＋－＠]/u;

/** A value of a record: a text of the service, a number, a flag; null is an empty cell. */
export type CsvValue = string | number | boolean | null;

/**
 * A line of CSV (RFC 4180) with its line end, CRLF. Texts hold no control character and no line
 * break, are quoted, and get a `'` before them when a spreadsheet would work them out (OWASP, CSV
 * injection). Numbers are written as they are, since nobody else chose their form.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = safeText(value);
  const harmless = formula.test(text) ? `'${text}` : text;
  return `"${harmless.replaceAll('"', '""')}"`;
}
