import type { ReadLines } from "@sightline/server/import-answers";
import { SourceReader, type SourceSaid } from "@sightline/sheets/read-source";
import {
  recognized,
  type Source,
  type SourceName,
  type SourceTable,
  sources,
} from "@sightline/sheets/sources";
import { tablesOf } from "./import-tables.ts";
import { CommandError } from "./result.ts";
import { linesOf } from "./sheet-mapping.ts";
import type { InputTable } from "./sqlite-tables.ts";

/** The export of another tool, whose files were opened. */
export interface OpenedExport {
  readonly source: Source;
  /** The tables with answers; a tool may export none. */
  readonly answers: readonly { readonly input: InputTable; readonly table: SourceTable }[];
  readonly reader: SourceReader;
}

/**
 * Opens the files of an export, and reads the tables that answers refer to.
 * @throws CommandError for a file that is not of the tool, and MappingError.
 */
export async function openExport(
  files: readonly string[],
  from: SourceName | undefined,
  said: SourceSaid,
): Promise<OpenedExport | null> {
  const inputs: InputTable[] = [];
  for (const file of files) {
    try {
      inputs.push(...(await tablesOf(file, said.mapping ?? {})));
    } catch (error) {
      // Whatever it is, it is read as Sightline's own lines, which say what is wrong.
      if (from === undefined && !(error instanceof CommandError)) return null;
      throw error;
    }
  }
  const found = recognized(inputs, from);
  if (found === null) {
    if (from === undefined) return null;
    throw new CommandError(unknown(files, from), 2);
  }
  const { source } = found;
  const known = inputs.map((input, place) => ({ input, table: found.tables[place] ?? null }));
  for (const file of files) {
    if (known.some(({ input, table }) => input.file === file && table !== null)) continue;
    throw new CommandError(unknown([file], source.name), 2);
  }
  const reader = new SourceReader(said);
  for (const { input, table } of known) {
    if (table === null || table.answers !== undefined) continue;
    await reader.addTable(table, input.rows());
  }
  reader.readTables();
  return {
    source,
    reader,
    answers: known.flatMap(({ input, table }) =>
      table?.answers === undefined ? [] : [{ input, table }],
    ),
  };
}

function unknown(files: readonly string[], name: SourceName): string {
  const source = sources.find((each) => each.name === name);
  const tables = (source?.tables ?? []).map(({ has }) => `  ${has.join(", ")}`).join("\n");
  return `${files.join(", ")}: not an export of ${source?.title ?? name}, whose tables have the \
columns\n${tables}`;
}

/** Reads the answers of an export as lines. */
export function exportLines(
  { reader }: OpenedExport,
  { input, table }: OpenedExport["answers"][number],
): ReadLines {
  return async function* lines(chunks) {
    const rows = input.rowsOf === null ? input.rows() : input.rowsOf(chunks);
    yield* linesOf(await reader.read(table, rows));
  };
}
