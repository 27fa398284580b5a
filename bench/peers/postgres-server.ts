import { type ChildProcess, spawn } from "node:child_process";
import {
  type PostgresServer as AnyPostgresServer,
  startPostgresServer,
} from "@sightline/test-kit/engines/postgres-server.ts";
import type { Client } from "pg";

/** A PostgreSQL server of our own, over one folder, with a connection to it. */
export interface PostgresServer extends Pick<AnyPostgresServer, "connect" | "stop"> {
  readonly client: Client;
  /** Starts to copy rows into a table: text format, through psql. */
  readonly copyInto: (table: string) => ChildProcess;
}

/** For a machine that has 8 GB for PostgreSQL, and a disk that seeks at no cost. */
const settings = {
  shared_buffers: "2GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  effective_cache_size: "8GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
} as const;

/** Starts a server, whose cluster is made when the folder is absent. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const { connect, stop, url } = await startPostgresServer(folder, { settings });
  return {
    client: await connect(),
    connect,
    copyInto: (table) => {
      const parameters = ["-q", "-c", `copy ${table} from stdin`, url("postgres")];
      return spawn("psql", parameters, { stdio: ["pipe", "ignore", "inherit"] });
    },
    stop,
  };
}
