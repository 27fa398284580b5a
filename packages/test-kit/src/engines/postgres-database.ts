import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type PostgresServer, startPostgresServer, testSettings } from "./postgres-server.ts";

let started: Promise<PostgresServer> | null = null;
let folder: string | null = null;
let databases = 0;

// Outside of a test: after all tests of the process.
after(async () => {
  await (await started)?.stop();
  if (folder !== null) rmSync(folder, { recursive: true });
});

/** The PostgreSQL server of this process's tests, started by the first that asks for it. */
export function sharedPostgres(): Promise<PostgresServer> {
  started ??= startShared();
  return started;
}

/** The address of a new, empty database on the shared server. */
export async function postgresUrl(): Promise<string> {
  const server = await sharedPostgres();
  const name = `test_${++databases}`;
  const client = await server.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return server.url(name);
}

async function startShared(): Promise<PostgresServer> {
  folder = mkdtempSync(join(tmpdir(), "sightline-postgres-"));
  return startPostgresServer(folder, { settings: testSettings });
}
