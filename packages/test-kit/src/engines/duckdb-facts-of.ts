import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { DuckdbFacts } from "../../../server/src/facts/duckdb/duckdb-facts.ts";
import { openDataFolder } from "../../../server/src/platform/data-folder.ts";
import { recordedLog } from "../recorded-log.ts";
import { temporaryFolder } from "../test-service.ts";

/** Facts in DuckDB for some accounts, in a folder that goes with the test. */
export function duckdbFactsOf(t: TestContext, accounts: readonly string[]): DuckdbFacts {
  const root = temporaryFolder();
  const folder = openDataFolder(join(root, "data"));
  for (const account of accounts) mkdirSync(folder.account(account).folder, { recursive: true });
  const facts = new DuckdbFacts({ folder, logger: recordedLog().logger, openMax: 10 });
  t.after(async () => {
    await facts.close();
    rmSync(root, { recursive: true });
  });
  return facts;
}
