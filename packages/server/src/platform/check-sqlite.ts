import { openSqlite, type SqliteDatabase } from "./sqlite.ts";

/**
 * The faults of a SQLite file: SQLite's own check of its structure, then `more`. Empty when there
 * are none. An unreadable file is one fault.
 */
export function checkSqlite(
  path: string,
  more: (database: SqliteDatabase) => readonly string[],
): readonly string[] {
  let database: SqliteDatabase | null = null;
  try {
    database = openSqlite(path, { readonly: true });
    const structure = integrityOf(database);
    return structure.length > 0 ? structure : more(database);
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database?.close();
  }
}

function integrityOf(database: SqliteDatabase): readonly string[] {
  const rows = database.pragma("integrity_check") as readonly { integrity_check: string }[];
  const keys = database.pragma("foreign_key_check") as readonly { table: string }[];
  return [
    ...rows.map((row) => row.integrity_check).filter((text) => text !== "ok"),
    ...keys.map(({ table }) => `a row of ${table} belongs to nothing`),
  ];
}
