import { createRequire } from "node:module";
import { join } from "node:path";

/** Where tasks/engines installs what the tests need as well. */
const requireEngine = createRequire(join(import.meta.dirname, "../../.tools/engines/package.json"));

/** What is used of the package chdb, which is ClickHouse in this process. */
export interface ClickHousePackage {
  readonly Session: new (path: string) => ClickHouseSession;
}

/** A connection to ClickHouse over one folder; several may have the same folder. */
export interface ClickHouseSession {
  readonly query: (sql: string, format: string) => string;
  /** Runs on a thread of libuv's pool. */
  readonly queryAsync: (
    sql: string,
    options: { readonly format: string },
  ) => Promise<{ readonly text: () => string }>;
  readonly insert: (rows: {
    readonly table: string;
    readonly values: Buffer;
    readonly format: "TSV";
  }) => Promise<unknown>;
  readonly cleanup: () => void;
}

/** The package chdb. @throws when tasks/engines has not installed it. */
export function clickHousePackage(): ClickHousePackage {
  return requireEngine("chdb") as ClickHousePackage;
}
