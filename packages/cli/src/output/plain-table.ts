import { safeText } from "./safe-text.ts";
import { type Cell, type Column, tableLines } from "./table.ts";
import { terminalOf } from "./terminal.ts";

/** A value of a table: null (unknown, or not yet) is shown as `-`. */
export type PlainValue = string | number | null;

/**
 * A table of commands on the data folder: headings, and one line per row. Nothing is truncated, so
 * that ids can be copied; numbers are right-aligned.
 */
export function plainTable(
  headings: readonly string[],
  rows: readonly (readonly PlainValue[])[],
): string {
  const columns = headings.map((heading, place): Column => {
    const isNumber = rows.some((row) => typeof row[place] === "number");
    return { heading, align: isNumber ? "right" : "left" };
  });
  const cells = rows.map((row) =>
    row.map((value): Cell => ({ text: value === null ? "-" : safeText(String(value)) })),
  );
  return tableLines(terminalOf(process.stdout, process.env), columns, cells).join("\n");
}
