import Database from "better-sqlite3";

/** The version of SQLite that stores records. */
export function sqliteVersion(): string {
  const database = new Database(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version()").pluck().get());
  } finally {
    database.close();
  }
}
