import { once } from "node:events";
import type { CommandIo, Output } from "../command-io.ts";
import { csvLine, csvRecord, type Fields, type Format, ndjsonRecord } from "../output/records.ts";

/** Pages of a list, and the records of each. */
interface PrintablePages<Page> {
  readonly fields: readonly string[];
  readonly pages: AsyncIterable<Page>;
  readonly recordsOf: (page: Page) => readonly Fields[];
}

/**
 * Prints records as their pages arrive, as lines of CSV, otherwise of NDJSON: a reader of the first
 * lines does not wait for the others.
 */
export async function printPages<Page>(
  format: Format,
  { fields, pages, recordsOf }: PrintablePages<Page>,
  { stdout }: CommandIo,
): Promise<void> {
  const lineOf = (record: Fields) =>
    format === "csv" ? csvRecord(fields, record) : ndjsonRecord(record);
  if (format === "csv") stdout.write(csvLine(fields));
  await writeAsTheyCome(stdout, pages, (page) => recordsOf(page).map(lineOf).join(""));
}

/**
 * Writes pages as they come, and asks for none before the output takes more: of somebody who reads
 * the first lines in a pager, the others would fill the memory and cost calls.
 */
export async function writeAsTheyCome<Page>(
  output: Output,
  pages: AsyncIterable<Page>,
  textOf: (page: Page) => string,
): Promise<void> {
  for await (const page of pages) {
    if (!output.write(textOf(page))) await once(output, "drain");
  }
}
