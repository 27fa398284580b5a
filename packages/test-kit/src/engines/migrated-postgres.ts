import { migratePostgres } from "../../../server/src/control/postgres/migrate-postgres.ts";
import { postgresUrl, sharedPostgres } from "./postgres-database.ts";

const template = "migrated";
let migrated: Promise<void> | null = null;
let databases = 0;

/**
 * The address of a new database on the shared server that has all tables: a copy of one that was
 * migrated, which takes a tenth of the time.
 */
export async function migratedPostgresUrl(): Promise<string> {
  const server = await sharedPostgres();
  migrated ??= migrate();
  await migrated;
  return copiedPostgresUrl(server.url(template));
}

/** The address of a new database that is a copy of another one, to which nobody is connected. */
export async function copiedPostgresUrl(original: string): Promise<string> {
  const server = await sharedPostgres();
  const name = `migrated_${++databases}`;
  const client = await server.connect();
  await client.query(`create database ${name} template ${new URL(original).pathname.slice(1)}`);
  await client.end();
  return server.url(name);
}

async function migrate(): Promise<void> {
  const server = await sharedPostgres();
  const url = await postgresUrl();
  await migratePostgres(url);
  const client = await server.connect();
  const database = new URL(url).pathname.slice(1);
  await client.query(`alter database ${database} rename to ${template}`);
  await client.end();
}
