import { basename } from "node:path";
import { decompressed } from "@sightline/server/decompress";
import type { TableFormat } from "@sightline/sheets";
import { checkJsonBytes, isJson, jsonTables } from "@sightline/sheets/json-tables";
import { rowsIn } from "@sightline/sheets/read-sheet";
import { openSource } from "./import-source.ts";
import { type InputTable, isSqlite, sqliteTables } from "./sqlite-tables.ts";

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
  if (isJson(new TextDecoder().decode(head))) {
    const tables = jsonTables(name, await collected(await plain()));
    return tables.map((table) => ({ ...table, file, rowsOf: null }));
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
    checkJsonBytes(bytes);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}
