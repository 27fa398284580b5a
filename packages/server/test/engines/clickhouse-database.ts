import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type ClickhouseServer, startClickhouseServer } from "./clickhouse-server.ts";

let started: Promise<ClickhouseServer> | null = null;
let folder: string | null = null;
let databases = 0;

// Outside of a test: after all tests of the process.
after(async () => {
  await (await started)?.kill();
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

async function startShared(): Promise<ClickhouseServer> {
  folder = mkdtempSync(join(tmpdir(), "sightline-clickhouse-"));
  return startClickhouseServer(folder);
}
