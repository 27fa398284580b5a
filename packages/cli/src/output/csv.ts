import { spreadsheetText } from "@sightline/contract/spreadsheet-text";
import { safeText } from "./safe-text.ts";

/** A value of a record: a text of the service, a number, a flag; null is an empty cell. */
export type CsvValue = string | number | boolean | null;

/**
 * A line of CSV (RFC 4180) ending in CRLF. Texts have no control characters or line breaks, are
 * quoted, and get a `'` prefix when a spreadsheet would evaluate them (OWASP, CSV injection).
 * Numbers are written unchanged, since they are ours.
 */
export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map(cell).join(",")}\r\n`;
}

function cell(value: CsvValue): string {
  if (value === null) return "";
  if (typeof value !== "string") return String(value);
  return `"${spreadsheetText(safeText(value)).replaceAll('"', '""')}"`;
}
