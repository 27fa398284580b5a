import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { clickhouseTables } from "../../../server/src/facts/clickhouse/migrate-clickhouse.ts";
import { type ClickhouseServer, startClickhouseServer } from "./clickhouse-server.ts";

let started: Promise<ClickhouseServer> | null = null;
let folder: string | null = null;
let databases = 0;

// Outside of a test: after all tests of the process.
after(async () => {
  const server = await started;
  started = null;
  await server?.kill();
  if (folder !== null) rmSync(folder, { recursive: true });
});

/** The ClickHouse server of this process's tests, started by the first that asks for it. */
export function sharedClickhouse(): Promise<ClickhouseServer> {
  started ??= startShared();
  return started;
}

/** The address of a new database on the shared server; the migration makes it. */
export async function clickhouseUrl(): Promise<string> {
  return (await sharedClickhouse()).url(`test_${++databases}`);
}

/** The address of a new database that has the tables of another one, and their rows. */
export async function copiedClickhouseUrl(original: string): Promise<string> {
  const server = await sharedClickhouse();
  const name = `test_${++databases}`;
  await server.command(`create database ${name}`);
  const copies = clickhouseTables.map(
    ({ name: table }) => `create table ${name}.${table} clone as ${databaseOf(original)}.${table}`,
  );
  await Promise.all(copies.map((statement) => server.command(statement)));
  return server.url(name);
}

/**
 * Drops a database, if the server still runs: its tables would look for parts to merge until it
 * ends.
 */
export async function dropClickhouse(url: string): Promise<void> {
  await (await started)?.command(`drop database if exists ${databaseOf(url)} sync`);
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

async function startShared(): Promise<ClickhouseServer> {
  folder = mkdtempSync(join(tmpdir(), "sightline-clickhouse-"));
  return startClickhouseServer(folder);
}
