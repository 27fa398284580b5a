import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { postgresUrl } from "@sightline/test-kit/engines/postgres-database.ts";

const endedMs = 20_000;

/** PostgreSQL ends the connection: its next statement fails, and the process may end. */
const script = `
  import { openPostgres } from "${new URL("../../platform/postgres.ts", import.meta.url)}";
  const pool = await openPostgres(process.argv[1], { statementMs: 60_000, connectionsMax: 1 });
  const client = await pool.connect();
  const ended = new Promise((resolve) => client.once("end", resolve));
  await client.query("select pg_terminate_backend(pg_backend_pid())").catch(() => undefined);
  await ended;
  await client.query("rollback").catch(({ message }) => process.stdout.write(message));
  client.release(true);
  await pool.end();`;

test("a process whose connection was ended does not wait for its deadline", async () => {
  const options = ["--input-type=module", "--eval", script, await postgresUrl()];
  const run = promisify(execFile)(process.execPath, options, { timeout: endedMs });
  assert.match((await run).stdout, /not queryable/);
});
