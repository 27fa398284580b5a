import { basename } from "node:path";
import { decompressed } from "@sightline/server/decompress";
import type { SheetRow, TableFormat } from "@sightline/sheets";
import { MappingError, rowsIn } from "@sightline/sheets/read-sheet";
import { openSource } from "./import-source.ts";
import { type InputTable, isSqlite, sqliteTables } from "./sqlite-tables.ts";

/** A file of JSON is read as a whole. */
const jsonBytesMax = 256 * 1024 * 1024;
const columnsMax = 1_000;

/**
 * The tables of a file: text with separators, a workbook, JSON, or a database of SQLite.
 * @throws CommandError, MappingError, EncodingError, WorkbookError
 */
export async function tablesOf(file: string, format: TableFormat): Promise<readonly InputTable[]> {
  const head = await headOf(file);
  if (isSqlite(head)) return sqliteTables(file);
  const name = basename(file)
    .replace(/\.(gz|zst)$/i, "")
    .replace(/\.\w+$/, "");
  const plain = async () => decompressed((await openSource(file)).chunks);
  if (/^\ufeff?\s*[[{]/.test(new TextDecoder().decode(head))) {
    return jsonTables(file, name, await collected(await plain()));
  }
  const rowsOf = async function* (chunks: AsyncIterable<Buffer>) {
    yield* await rowsIn(chunks, format);
  };
  const rows = async function* () {
    yield* rowsOf(await plain());
  };
  const opened = rows();
  const { value } = await opened.next();
  await opened.return(undefined);
  const header = value?.cells ?? [];
  return [{ file, name, header, rows, rowsOf }];
}

async function headOf(file: string): Promise<Buffer> {
  const chunks = decompressed((await openSource(file)).chunks);
  const { value } = await chunks.next();
  await chunks.return(undefined);
  return value?.subarray(0, 4_096) ?? Buffer.alloc(0);
}

async function collected(chunks: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    bytes += chunk.length;
    if (bytes <= jsonBytesMax) continue;
    const size = `${jsonBytesMax / 1024 / 1024} MiB`;
    throw new MappingError([`JSON has at most ${size}. Export CSV, of any size.`]);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** Lists of objects: the whole file, by their names in an object, or one object a line. */
function jsonTables(file: string, name: string, text: string): readonly InputTable[] {
  const value = parsed(text) ?? parsedLines(text);
  if (value === undefined) {
    throw new MappingError(["The file is not JSON. Is it cut off?"]);
  }
  if (Array.isArray(value)) return [tableOf(file, name, value)];
  const lists = Object.entries(value as object).filter(([, each]) => Array.isArray(each));
  return lists.map(([key, list]) => tableOf(file, key, list as readonly unknown[]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parsedLines(text: string): readonly unknown[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values = lines.map(parsed);
  return values.includes(undefined) ? undefined : values;
}

function tableOf(file: string, name: string, list: readonly unknown[]): InputTable {
  const objects = list.map((item) =>
    typeof item === "object" && item !== null ? (item as Readonly<Record<string, unknown>>) : {},
  );
  const header = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  if (header.length > columnsMax) {
    throw new MappingError([`${name} has more than ${columnsMax} fields.`]);
  }
  const rows = async function* (): AsyncGenerator<SheetRow> {
    yield { number: 1, cells: header };
    for (const [place, object] of objects.entries()) {
      const cells = header.map((key) => (Object.hasOwn(object, key) ? cellOf(object[key]) : ""));
      yield { number: place + 2, cells };
    }
  };
  return { file, name, header, rows, rowsOf: null };
}

/** A value as a cell of CSV has it. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
