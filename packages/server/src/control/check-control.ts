import { Kysely, SqliteDialect, sql } from "kysely";
import { checkSqlite, openSqlite, type SqliteDatabase } from "../platform/sqlite.ts";
import { type ControlDatabase, openControlDatabase } from "./database.ts";
import { migrations } from "./migrations.ts";
import { keyRowHash, signingKeyRowHash, workspaceRowsHash } from "./row-hashes.ts";
import type { ControlTables } from "./schema.ts";

/**
 * Checks a control file: SQLite's structure and references, then the definitions of its tables
 * against a new file's, then the workspace, API keys and signing keys of each account against their
 * stored hashes. Hashes written by an earlier version are skipped: they cover other columns.
 * @param more finds the faults of what other folders know.
 * @returns the faults, for people; empty: none.
 */
export async function checkControl(
  path: string,
  more: readonly ((database: ControlDatabase) => Promise<readonly string[]>)[] = [],
): Promise<readonly string[]> {
  const structure = checkSqlite(path, () => []);
  if (structure.length > 0) return structure;
  const connection = openSqlite(path, { readonly: true });
  const database = new Kysely<ControlTables>({
    dialect: new SqliteDialect({ database: connection }),
  });
  try {
    const earlier = lastEarlier(migrationsOf(connection));
    const definitions = await definitionFaults(database, earlier);
    if (definitions.length > 0 || earlier !== null) return definitions;
    return [
      ...(await accountFaults(database)),
      ...(await keyFaults(database)),
      ...(await signingKeyFaults(database)),
      ...(await Promise.all(more.map((find) => find(database)))).flat(),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await database.destroy();
  }
}

/** Whether an earlier version of Sightline wrote the file, so that the next start migrates it. */
export function isControlEarlier(path: string): boolean {
  return read(path, (database) => lastEarlier(migrationsOf(database))) !== null;
}

function migrationsOf(database: SqliteDatabase): readonly string[] {
  const select = "select name from kysely_migration order by name";
  return database.prepare<[], string>(select).pluck().all();
}

/** The last applied migration when they are a proper prefix of ours; else null. */
function lastEarlier(names: readonly string[]): string | null {
  const known = Object.keys(migrations).toSorted();
  const isEarlier = names.length < known.length && names.every((name, at) => name === known[at]);
  return isEarlier ? (names.at(-1) ?? null) : null;
}

/** The number of API keys; null when the file cannot be read. */
export function countKeys(path: string): number | null {
  return read(path, (database) =>
    Number(database.prepare("select count(*) from keys").pluck().get()),
  );
}

/** The ids of all accounts; null when the file cannot be read. */
export function accountsOfControl(path: string): ReadonlySet<string> | null {
  return read(
    path,
    (database) => new Set(database.prepare<[], string>("select id from accounts").pluck().all()),
  );
}

/** The last recorded sequence number by account; empty when the file cannot be read. */
export function answersInControl(path: string): ReadonlyMap<string, number> {
  const select = "select id, recorded from accounts where recorded > 0 order by id";
  const rows = read(path, (database) =>
    database.prepare<[], { readonly id: string; readonly recorded: number }>(select).all(),
  );
  return new Map((rows ?? []).map(({ id, recorded }) => [id, recorded]));
}

/** The result of a query; null when the file cannot be read: checkControl reports the reason. */
function read<Result>(path: string, query: (database: SqliteDatabase) => Result): Result | null {
  let database: SqliteDatabase | null = null;
  try {
    database = openSqlite(path, { readonly: true });
    return query(database);
  } catch {
    return null;
  } finally {
    database?.close();
  }
}

/** Compares the definitions with those of a new file that has the same migrations. */
async function definitionFaults(
  database: ControlDatabase,
  last: string | null,
): Promise<readonly string[]> {
  const fresh = await openControlDatabase(":memory:", last ?? undefined);
  try {
    const expected = await definitionsOf(fresh.database);
    const found = await definitionsOf(database);
    const names = [...new Set([...expected.keys(), ...found.keys()])];
    return names
      .filter((name) => expected.get(name) !== found.get(name))
      .map((name) => `the definition of ${name} differs from the one that the migrations create`);
  } finally {
    await fresh.database.destroy();
  }
}

/** The SQL of each table and index, and the name of each applied migration. */
async function definitionsOf(database: ControlDatabase): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; text: string }>`
    select type || ' ' || name as name, tbl_name || ' ' || coalesce(sql, '') as text
    from sqlite_schema
    union all select 'migration ' || name, '' from kysely_migration`.execute(database);
  return new Map(rows.map(({ name, text }) => [name, text]));
}

async function accountFaults(database: ControlDatabase): Promise<readonly string[]> {
  const faults: string[] = [];
  const accounts = await database.selectFrom("accounts").selectAll().orderBy("id").execute();
  for (const { id, rows_hash } of accounts) {
    if (rows_hash === null || rows_hash === (await workspaceRowsHash(database, id))) continue;
    faults.push(`the workspace of account ${id} differs from what was applied`);
  }
  return faults;
}

async function keyFaults(database: ControlDatabase): Promise<readonly string[]> {
  const keys = await database.selectFrom("keys").selectAll().orderBy("id").execute();
  return keys
    .filter((row) => row.row_hash !== null && row.row_hash !== keyRowHash(row))
    .map(({ id }) => `key ${id} differs from what was created`);
}

async function signingKeyFaults(database: ControlDatabase): Promise<readonly string[]> {
  const keys = await database.selectFrom("signing_keys").selectAll().orderBy("kid").execute();
  return keys
    .filter((row) => row.row_hash !== null && row.row_hash !== signingKeyRowHash(row))
    .map(({ kid }) => `signing key ${kid} differs from what was created`);
}
