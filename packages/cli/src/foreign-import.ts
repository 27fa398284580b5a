import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { workspaceOf } from "@sightline/server/account-store";
import { decompressed } from "@sightline/server/decompress";
import type { AnswersFormat, ReadLines } from "@sightline/server/import-answers";
import { guessEncoding, isWorkbook, type SheetMapping } from "@sightline/sheets";
import { isOwnCsv } from "@sightline/sheets/own-csv";
import { MappingError, rowsIn } from "@sightline/sheets/read-sheet";
import { SourceReader } from "@sightline/sheets/read-source";
import { type SourceName, sources } from "@sightline/sheets/sources";
import { importConnection } from "./connection/import-connection.ts";
import { withClient } from "./connection/with-client.ts";
import { openSource, requireSources } from "./import-source.ts";
import { CommandError } from "./result.ts";
import { isInline, mappedLines, readMapping, saidMapping } from "./sheet-mapping.ts";
import { exportLines, type OpenedExport, openExport } from "./source-import.ts";
import { type DryFile, type DryRun, dryRun } from "./source-report.ts";
import type { PresentWorkspace } from "./source-workspace.ts";
import { isSqlite } from "./sqlite-tables.ts";
import { accountOf, type DataOptions, requireExisting, withStorage } from "./storage.ts";

/** The options of an import that say what its files are. */
export interface ForeignOptions extends DataOptions {
  readonly account?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly format?: AnswersFormat;
  readonly from?: SourceName;
  readonly map: readonly string[];
  readonly set: readonly string[];
  readonly groupBy?: string;
  readonly brand?: string;
}

/** Files that are not Sightline's own lines, and how they are read. */
export interface ForeignFiles {
  /** The files with answers. */
  readonly files: readonly string[];
  readonly formatOf: (file: string) => ReadLines | undefined;
  /** The tool that was recognized; null: it was named, or a mapping was given. */
  readonly recognized: string | null;
  readonly dryRun: () => Promise<DryRun>;
}

/**
 * What files are, by the options or else by what they hold; null: Sightline's own lines.
 * @throws CommandError where options contradict each other or a file.
 */
export async function foreignFiles(
  files: readonly string[],
  options: ForeignOptions,
): Promise<ForeignFiles | null> {
  const { from, brand, format } = options;
  const isSaid = from !== undefined || options.map.length > 0;
  if (isSaid && format !== undefined) {
    const name = from === undefined ? "--map" : "--from";
    const message = `${name} and --format do not go together: a mapping reads CSV, TSV and XLSX.`;
    throw new CommandError(message, 2);
  }
  await requireSources(files);
  const mapping = await mappingOf(options);
  if (options.map.length > 0 && from === undefined) return mapped(files, mapping, options);
  if (from === undefined && (format !== undefined || !(await areForeign(files)))) return null;
  if (files.includes("-")) {
    throw new CommandError("--from reads files, which it looks at first, not standard input.", 2);
  }
  const said = { mapping, ...(brand === undefined ? {} : { brand }) };
  const opened = await openExport(files, from, said).catch((error: unknown) => {
    throw error instanceof MappingError ? unfit(files, error) : error;
  });
  return opened === null ? null : ofExport(opened, options);
}

function unfit(files: readonly string[], { faults }: MappingError): CommandError {
  const said = faults.map((fault) => `  ${fault}`).join("\n");
  return new CommandError(`${files.join(", ")}: nothing was imported.\n${said}`, 2);
}

/** What the options say, a file first. Dates without a time are noon UTC, unless they say it. */
async function mappingOf({ map, set, groupBy }: ForeignOptions): Promise<Partial<SheetMapping>> {
  const [file, ...others] = map.filter((each) => !isInline(each));
  if (others.length > 0) {
    throw new CommandError("--map takes one file; name the columns in it, or one by one.", 2);
  }
  const inline = map.filter(isInline);
  if (file === undefined && inline.length + set.length === 0 && groupBy === undefined) return {};
  const said = saidMapping(inline, set, groupBy === undefined ? [] : [groupBy]);
  if (file === undefined) return said;
  const written = await readMapping(file);
  return {
    ...written,
    ...said,
    columns: { ...written.columns, ...said.columns },
    ...(written.values === undefined && said.values === undefined
      ? {}
      : { values: { ...written.values, ...said.values } }),
  };
}

function mapped(
  files: readonly string[],
  said: Partial<SheetMapping>,
  options: ForeignOptions,
): ForeignFiles {
  const isFile = options.map.some((each) => !isInline(each));
  const noon = isFile ? {} : { timeOfDay: "12:00Z" };
  const mapping: SheetMapping = { ...noon, ...said, columns: said.columns ?? {} };
  const reader = new SourceReader({});
  const lines = mappedLines(mapping);
  const dry = files.map(
    (file): DryFile => ({
      file,
      read: async () => {
        const { chunks } = await openSource(file);
        return reader.readSheet(await rowsIn(decompressed(chunks), mapping), mapping);
      },
    }),
  );
  return {
    files,
    formatOf: () => lines,
    recognized: null,
    dryRun: () => runDry(dry, { reader, source: null }, options),
  };
}

function ofExport(opened: OpenedExport, options: ForeignOptions): ForeignFiles {
  const { source, reader, answers } = opened;
  const dry = answers.map(
    ({ input, table }): DryFile => ({
      file: input.file,
      read: () => reader.read(table, input.rows()),
    }),
  );
  return {
    files: answers.map(({ input }) => input.file),
    formatOf: (file) => {
      const found = answers.find(({ input }) => input.file === file);
      return found === undefined ? undefined : exportLines(opened, found);
    },
    recognized: options.from === undefined ? source.title : null,
    dryRun: () => runDry(dry, { reader, source: source.name }, options),
  };
}

async function runDry(
  files: readonly DryFile[],
  of: { readonly reader: SourceReader; readonly source: string | null },
  options: ForeignOptions,
): Promise<DryRun> {
  const present = await presentWorkspace(options);
  return dryRun(files, of, { present, brand: options.brand });
}

/** What the account tracks; null: there is no account yet. */
async function presentWorkspace(options: ForeignOptions): Promise<PresentWorkspace | null> {
  const connection = await importConnection(options);
  if (connection !== null) {
    return withClient(connection, async (client) => (await client.workspaceFile()).file);
  }
  try {
    requireExisting(options);
  } catch {
    return null; // a first import begins with a dry run
  }
  return withStorage(options, async (storage) => {
    const workspace = await workspaceOf(storage.control, await accountOf(storage, options.account));
    if (workspace === null) return null;
    // Loaded here: it brings the extraction along, which imports do not need.
    const { declaredFile } = await import("@sightline/server/declared-workspaces");
    return JSON.parse(new TextDecoder().decode(await declaredFile(workspace))) as PresentWorkspace;
  });
}

/** As many bytes show the columns of a table, or the fields of JSON. */
const headBytes = 64 * 1024;

/** Whether every file may be another tool's. A pipe can be read but once: it is not looked at. */
async function areForeign(files: readonly string[]): Promise<boolean> {
  for (const file of files) {
    if (file === "-" || !(await stat(file)).isFile()) return false;
    const head = await headOf(file).catch(() => Buffer.alloc(0)); // the import says what is wrong
    if (!mayBeForeign(head)) return false;
  }
  return true;
}

async function headOf(file: string): Promise<Buffer> {
  const stream = createReadStream(file, { end: headBytes * 4 });
  const chunks = decompressed(stream);
  try {
    const { value } = await chunks.next();
    return value?.subarray(0, headBytes) ?? Buffer.alloc(0);
  } finally {
    stream.destroy();
  }
}

function mayBeForeign(head: Buffer): boolean {
  if (isSqlite(head) || isWorkbook(head)) return true;
  const text = new TextDecoder(guessEncoding(head).value).decode(head);
  if (isOwnCsv(head) || /^\s*\{[^\n]*"answeredAt"\s*:/.test(text)) return false;
  const tables = sources.flatMap((source) => source.tables);
  return tables.some(({ has }) => has.every((column) => text.includes(column)));
}
