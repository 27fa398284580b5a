import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { until } from "../until.ts";
import { freePort } from "./free-port.ts";

/** A PostgreSQL server of our own, over one folder, on the loopback address. */
export interface PostgresServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** The address of one of its databases. */
  readonly url: (database: string) => string;
  /** Opens a connection, which ends with the server. */
  readonly connect: (database?: string) => Promise<Client>;
  /** Stops without waiting for clients; what was committed stays. */
  readonly stop: () => Promise<void>;
  /** `kill -9`, as a machine that loses power. */
  readonly kill: () => Promise<void>;
}

/** How a server is started. */
export interface PostgresServerOptions {
  /** A free one when omitted. */
  readonly port?: number;
  /** Settings as in postgresql.conf, in addition to what every server of ours has. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Where Debian's packages put the programs. */
const programs = "/usr/lib/postgresql/15/bin";
const user = "postgres";
const host = "127.0.0.1";
const firstDatabase = "postgres";
const connectWithinMs = 20_000;

/** For machines that do not lose power: a test's databases last for seconds. */
export const testSettings = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  shared_buffers: "32MB",
  autovacuum: "off",
  max_connections: "400", // the services of fifty test files are open at the same time
} as const;

/**
 * The server is the child of a shell that reads standard input: when this process ends, however it
 * does, the shell reads the end and stops the server.
 */
const untilInputEnds = '"$@" & server=$!; cat; kill -INT $server; wait $server';

/** Starts a server, whose cluster is made when the folder is absent or empty. */
export async function startPostgresServer(
  folder: string,
  { port, settings = {} }: PostgresServerOptions = {},
): Promise<PostgresServer> {
  const owner = systemUser();
  if (!existsSync(join(folder, "PG_VERSION"))) makeCluster(folder, owner);
  const listening = port ?? (await freePort());
  const given = {
    listen_addresses: host,
    unix_socket_directories: "",
    timezone: "UTC",
    ...settings,
    port: listening,
  };
  const flags = Object.entries(given).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const command = [join(programs, "postgres"), "-D", folder, ...flags];
  const shell = spawn("sh", ["-c", untilInputEnds, "sh", ...command], {
    stdio: ["pipe", "ignore", "ignore"],
    cwd: folder,
    ...owner,
  });
  const exited = once(shell, "exit");
  const clients = new Set<Client>();
  const connect = async (database = firstDatabase) => {
    const client = await connected({ host, port: listening, user, database }, shell);
    client.on("error", () => undefined); // the server was killed: the next query says so
    client.on("end", () => clients.delete(client));
    clients.add(client);
    return client;
  };
  const stop = async () => {
    await Promise.all([...clients].map((each) => each.end().catch(() => undefined)));
    shell.stdin.end();
    await exited;
  };
  const first = await connect().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  await first.end();
  return {
    host,
    port: listening,
    user,
    connect,
    stop,
    url: (database) => `postgres://${user}@${host}:${listening}/${database}`,
    kill: async () => {
      const [id] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n", 1);
      process.kill(Number(id), "SIGKILL");
      await stop();
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
  execFileSync(join(programs, "initdb"), parameters, { stdio: "ignore", cwd: folder, ...owner });
}

async function connected(
  options: ConstructorParameters<typeof Client>[0],
  server: ChildProcess,
): Promise<Client> {
  const attempt = async () => {
    const client = new Client(options);
    try {
      await client.connect();
      return client;
    } catch {
      if (server.exitCode !== null) throw new Error("PostgreSQL ended before it was ready");
      return null;
    }
  };
  return until("PostgreSQL accepts connections", attempt, connectWithinMs);
}
