import type { CommandIo } from "../command-io.ts";
import { csvLine } from "../output/csv.ts";
import { csvRecord, type Fields, type Format, ndjsonRecord } from "../output/records.ts";
import { writeAsTheyCome } from "../output/write-as-they-come.ts";

/** Pages of a list, and the records of each. */
export interface PrintablePages<Page> {
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
