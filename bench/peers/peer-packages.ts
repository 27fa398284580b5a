import { createRequire } from "node:module";
import { join } from "node:path";

/** Where tasks/bench installs what only the peers need. */
const requirePeer = createRequire(join(import.meta.dirname, "../../.tools/bench/package.json"));

/** What is used of the package pg. */
export interface PostgresPackage {
  readonly Client: new (options: PostgresOptions) => PostgresClient;
}

/** Where a PostgreSQL server is. */
export interface PostgresOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
}

/** One connection. */
export interface PostgresClient {
  readonly connect: () => Promise<unknown>;
  readonly query: (query: PostgresQuery) => Promise<{ readonly rows: unknown[][] }>;
  readonly end: () => Promise<void>;
}

/** A statement; one with a name stays prepared on its connection. */
export interface PostgresQuery {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly rowMode: "array";
}

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

/** The package pg. @throws when tasks/bench has not installed it. */
export function postgresPackage(): PostgresPackage {
  return requirePeer("pg") as PostgresPackage;
}

/** The package chdb. @throws when tasks/bench has not installed it. */
export function clickHousePackage(): ClickHousePackage {
  return requirePeer("chdb") as ClickHousePackage;
}
