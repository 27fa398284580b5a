import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { type PostgresClient, postgresPackage } from "./peer-packages.ts";

/** A PostgreSQL server of our own, over one folder, on the loopback address. */
export interface PostgresServer {
  readonly client: PostgresClient;
  /** Opens one more connection, which ends with the server. */
  readonly connect: () => Promise<PostgresClient>;
  /** Starts to copy rows into a table: text format, through psql. */
  readonly copyInto: (table: string) => ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Where Debian's packages put the programs. */
const programs = "/usr/lib/postgresql/15/bin";
const user = "postgres";
const host = "127.0.0.1";
const connectAttempts = 100;
const betweenAttemptsMs = 100;

/** For a machine that has 8 GB for PostgreSQL, and a disk that seeks at no cost. */
const settings = {
  listen_addresses: host,
  unix_socket_directories: "",
  shared_buffers: "2GB",
  work_mem: "64MB",
  maintenance_work_mem: "1GB",
  effective_cache_size: "8GB",
  random_page_cost: "1.1",
  max_wal_size: "8GB",
  wal_level: "minimal",
  max_wal_senders: "0",
  timezone: "UTC",
} as const;

/** Starts a server, whose cluster is made when the folder is absent. */
export async function startPostgres(folder: string): Promise<PostgresServer> {
  const owner = systemUser();
  if (!existsSync(join(folder, "PG_VERSION"))) makeCluster(folder, owner);
  const port = await freePort();
  const given = { ...settings, port };
  const flags = Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", folder, ...flags], {
    stdio: "ignore",
    ...owner,
  });
  const exited = once(server, "exit");
  const database = "postgres";
  const clients: PostgresClient[] = [];
  const connect = async () => {
    const client = await connected({ host, port, user, database }, server);
    clients.push(client);
    return client;
  };
  const client = await connect().catch((error: unknown) => {
    server.kill("SIGINT");
    throw error;
  });
  const address = ["-h", host, "-p", String(port), "-U", user, database];
  return {
    client,
    connect,
    copyInto: (table) => {
      const parameters = ["-q", "-c", `copy ${table} from stdin`, ...address];
      return spawn("psql", parameters, { stdio: ["pipe", "ignore", "inherit"] });
    },
    stop: async () => {
      await Promise.all(clients.map((each) => each.end()));
      server.kill("SIGINT"); // "fast": does not wait for clients
      await exited;
    },
  };
}

type Owner = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** PostgreSQL refuses to run as root: then it runs as the user that its package makes. */
function systemUser(): Owner {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, user], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

function makeCluster(folder: string, owner: Owner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ("uid" in owner && owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  // Texts are compared by code unit, as in the service; that is also the fastest.
  const flags = ["--username", user, "--auth", "trust", "--encoding", "UTF8", "--locale", "C"];
  const parameters = ["-D", folder, ...flags, "--no-sync"];
  execFileSync(join(programs, "initdb"), parameters, { stdio: "ignore", ...owner });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

async function connected(
  options: ConstructorParameters<ReturnType<typeof postgresPackage>["Client"]>[0],
  server: ChildProcess,
): Promise<PostgresClient> {
  const { Client } = postgresPackage();
  for (let attempt = 1; ; attempt++) {
    const client = new Client(options);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (server.exitCode !== null) throw new Error("PostgreSQL ended before it was ready");
      if (attempt === connectAttempts) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, betweenAttemptsMs));
  }
}
