import type { FoundPrompt } from "./found-workspace.ts";
import { checkJsonBytes, isJson, jsonTables } from "./json-tables.ts";
import { MappingError, rowsIn } from "./read-sheet.ts";
import { SourceReader } from "./read-source.ts";
import type { SheetRow } from "./rows.ts";
import { type GivenTable, recognized, type SourceTable } from "./sources/recognize.ts";

/** A file as a browser has it. */
export interface ExportFile {
  readonly name: string;
  readonly content: Blob;
}

/** What files of another tool's export come to. */
export interface JoinedExport {
  /** The tool. */
  readonly title: string;
  /** The answers with what other tables add to them, as CSV; null: no table has answers. */
  readonly content: Blob | null;
  /** The prompts that its tables declare. */
  readonly prompts: readonly FoundPrompt[];
}

interface FileTable extends GivenTable {
  /** The place of its file. */
  readonly file: number;
  readonly rows: () => AsyncGenerator<SheetRow>;
}

/**
 * Which files are read together, by their places: the tables of one export, of which one has the
 * answers. Any other file is read by itself.
 */
export async function exportGroups(
  files: readonly ExportFile[],
): Promise<readonly (readonly number[])[]> {
  const places = files.map((_, place) => place);
  const alone = places.map((place) => [place]);
  if (files.length < 2) return alone;
  const tables: FileTable[] = [];
  for (const [place, file] of files.entries()) {
    // An export is read without questions.
    tables.push(...(await tablesOf(file, place).catch(() => [])));
  }
  const found = recognized(tables);
  const isJoined = found?.tables.some((table) => table?.answers !== undefined && hasJoins(table));
  if (found === null || isJoined !== true) return alone;
  const known = new Set(tables.flatMap(({ file }, at) => (found.tables[at] ? [file] : [])));
  return [[...known], ...alone.filter(([place = -1]) => !known.has(place))];
}

/**
 * The export that files are; null: one table without others, or none that is known.
 * @throws MappingError, EncodingError, WorkbookError
 */
export async function joinedExport(files: readonly ExportFile[]): Promise<JoinedExport | null> {
  const tables: FileTable[] = [];
  let isOfText = true;
  for (const [place, file] of files.entries()) {
    const head = await headOf(file);
    if (head.startsWith("SQLite format 3\0")) throw new MappingError([ofDatabase(file)]);
    if (isJson(head)) isOfText = false;
    else if (files.length === 1 && !(await isKnownText(file))) return null;
    tables.push(...(await tablesOf(file, place)));
  }
  const found = recognized(tables);
  if (found === null) {
    if (isOfText) return null;
    throw new MappingError(["This JSON is not an export of a tool that Sightline knows."]);
  }
  const known = tables.flatMap((given, at) => {
    const table = found.tables[at] ?? null;
    return table === null ? [] : [{ given, table }];
  });
  const [main, ...others] = known.filter(({ table }) => table.answers !== undefined);
  if (others.length > 0) {
    throw new MappingError([`${main?.table.name}: two files have this table. Give one of them.`]);
  }
  const { title } = found.source;
  const isSingle = files.length === 1 && isOfText && main !== undefined && !hasJoins(main.table);
  if (isSingle) return null;
  const reader = new SourceReader({});
  for (const { given, table } of known) {
    if (table.answers === undefined) await reader.addTable(table, given.rows());
  }
  reader.readTables();
  const content =
    main === undefined ? null : await csvOf(reader.joined(main.table, main.given.rows()));
  return { title, content, prompts: reader.workspace().prompts };
}

const hasJoins = ({ joins = [] }: SourceTable): boolean => joins.length > 0;

function ofDatabase({ name }: ExportFile): string {
  return (
    `${name} is a database of SQLite, which browsers do not read. ` +
    `The command does: sightline import ${name}`
  );
}

const headBytes = 4_096;

async function headOf({ content }: ExportFile): Promise<string> {
  return new TextDecoder().decode(await content.slice(0, headBytes).arrayBuffer());
}

/** Whether a text is a table of an export; its own questions are the wizard's. */
async function isKnownText(file: ExportFile): Promise<boolean> {
  const tables = await tablesOf(file, 0).catch(() => []);
  return recognized(tables) !== null;
}

async function tablesOf({ name, content }: ExportFile, file: number): Promise<FileTable[]> {
  const plain = name.replace(/\.\w+$/, "");
  if (isJson(await headOf({ name, content }))) {
    checkJsonBytes(content.size);
    return jsonTables(plain, await content.text()).map((table) => ({ ...table, file }));
  }
  const rows = async function* () {
    yield* await rowsIn(chunksOf(content), {});
  };
  const opened = rows();
  const { value } = await opened.next();
  await opened.return(undefined);
  return [{ name: plain, header: value?.cells ?? [], rows, file }];
}

async function* chunksOf(content: Blob): AsyncGenerator<Uint8Array> {
  const reader = content.stream().getReader();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

/** Lines are joined to pieces before they become a part of a blob. */
const pieceCharacters = 1_000_000;

/** Rows as CSV. A row with a fault keeps its own cells alone, which are rejected with it. */
async function csvOf(rows: AsyncIterable<SheetRow>): Promise<Blob> {
  const parts: Blob[] = [];
  let piece = "";
  for await (const { cells } of rows) {
    piece += `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\r\n`;
    if (piece.length <= pieceCharacters) continue;
    parts.push(new Blob([piece]));
    piece = "";
  }
  return new Blob([...parts, piece]);
}
