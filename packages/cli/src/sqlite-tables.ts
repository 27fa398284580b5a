import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import type { SheetRow } from "@sightline/sheets";
import type { GivenTable } from "@sightline/sheets/sources";
import { CommandError } from "./result.ts";

/** A table of a file that is imported. */
export interface InputTable extends GivenTable {
  readonly file: string;
  /** From the first, which names the columns. Each call reads the file again. */
  readonly rows: () => AsyncGenerator<SheetRow>;
  /** The same of a stream of the file; null: it is read by its path alone. */
  readonly rowsOf: ((chunks: AsyncIterable<Buffer>) => AsyncGenerator<SheetRow>) | null;
}

const magic = "SQLite format 3\0";
/** Longer cells are not answers; the service takes a million characters of a text. */
const cellCharactersMax = 4_000_000;
const tablesMax = 200;

/** Whether a file's first bytes are those of a SQLite database. */
export function isSqlite(head: Buffer): boolean {
  return head.subarray(0, magic.length).toString("latin1") === magic;
}

/**
 * The tables of a SQLite file that may come from anybody. Nothing of it runs: views, virtual tables
 * and generated columns are left out, triggers never fire, and the file is only read.
 * @throws CommandError
 */
export async function sqliteTables(file: string): Promise<readonly InputTable[]> {
  const log = `${file}-wal`;
  if (existsSync(log) && statSync(log).size > 0) {
    throw new CommandError(
      `${file}: ${log} holds what is not in the file yet. Stop the program that writes it, or ` +
        `copy the database: sqlite3 ${file} "VACUUM INTO 'copy.db'"`,
      2,
    );
  }
  const database = await opened(file);
  try {
    return named(database).map((name) => tableOf(file, database, name));
  } catch (error) {
    throw unreadable(file, error);
  } finally {
    database.close();
  }
}

/** Read-only, and without the two files that SQLite writes beside a database with a log. */
async function opened(file: string): Promise<DatabaseSync> {
  // Loaded here: no other command needs it, and it costs some milliseconds.
  const { DatabaseSync } = await import("node:sqlite");
  try {
    const address = pathToFileURL(resolve(file));
    address.searchParams.set("immutable", "1");
    const database = new DatabaseSync(address, { readOnly: true, allowExtension: false });
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0");
    return database;
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** Tables that hold rows of their own. */
function named(database: DatabaseSync): readonly string[] {
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 LIMIT ?")
    .all(tablesMax);
  return rows.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
}

function tableOf(file: string, database: DatabaseSync, name: string): InputTable {
  const columns = database.prepare("SELECT name, hidden FROM pragma_table_xinfo(?)").all(name);
  const header = columns.filter(({ hidden }) => hidden === 0).map((each) => String(each["name"]));
  const rows = async function* (): AsyncGenerator<SheetRow> {
    yield { number: 1, cells: header };
    const again = await opened(file);
    try {
      const list = header.map(quotedName).map((column) => {
        return `CASE WHEN length(${column}) > ${cellCharactersMax} THEN NULL ELSE ${column} END`;
      });
      const statement = again.prepare(`SELECT ${list.join(", ")} FROM ${quotedName(name)}`);
      statement.setReadBigInts(true);
      statement.setReturnArrays(true);
      let number = 1;
      for (const row of statement.iterate() as Iterable<unknown>) {
        number += 1;
        yield { number, cells: (row as readonly unknown[]).map(textOf) };
      }
    } catch (error) {
      throw unreadable(file, error);
    } finally {
      again.close();
    }
  };
  return { file, name, header, rows, rowsOf: null };
}

/** Bytes are not a text: a cell of them is empty. */
function textOf(value: unknown): string {
  return value === null || value instanceof Uint8Array ? "" : String(value);
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function unreadable(file: string, error: unknown): Error {
  if (error instanceof CommandError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new CommandError(`${file}: the database cannot be read: ${reason}.`, 2);
}
