import { Kysely, SqliteDialect } from "kysely";
import { checkSqlite } from "../platform/check-sqlite.ts";
import { openSqlite } from "../platform/sqlite.ts";
import type { ControlDatabase } from "./database.ts";
import { keyRowHash, signingKeyRowHash, workspaceRowsHash } from "./row-hashes.ts";
import type { ControlTables } from "./schema.ts";

/**
 * What is wrong with control: the engine's own check of structure and references, then each
 * account's declarations, each key and each signing key against what was written with them.
 */
export async function checkControl(path: string): Promise<readonly string[]> {
  const structure = checkSqlite(path, () => []);
  if (structure.length > 0) return structure;
  const database = new Kysely<ControlTables>({
    dialect: new SqliteDialect({ database: openSqlite(path, { readonly: true }) }),
  });
  try {
    return [
      ...(await accountFaults(database)),
      ...(await keyFaults(database)),
      ...(await signingKeyFaults(database)),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    await database.destroy();
  }
}

async function accountFaults(database: ControlDatabase): Promise<readonly string[]> {
  const faults: string[] = [];
  const accounts = await database.selectFrom("accounts").selectAll().orderBy("id").execute();
  for (const { id, rows_hash } of accounts) {
    if (rows_hash === null || rows_hash === (await workspaceRowsHash(database, id))) continue;
    faults.push(`what account ${id} declares is not as it was applied`);
  }
  return faults;
}

async function keyFaults(database: ControlDatabase): Promise<readonly string[]> {
  const keys = await database.selectFrom("keys").selectAll().orderBy("id").execute();
  return keys
    .filter((row) => row.row_hash !== null && row.row_hash !== keyRowHash(row))
    .map(({ id }) => `key ${id} is not as it was made`);
}

async function signingKeyFaults(database: ControlDatabase): Promise<readonly string[]> {
  const keys = await database.selectFrom("signing_keys").selectAll().orderBy("kid").execute();
  return keys
    .filter((row) => row.row_hash !== null && row.row_hash !== signingKeyRowHash(row))
    .map(({ kid }) => `signing key ${kid} is not as it was made`);
}
