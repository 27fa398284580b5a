import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { until } from "../until.ts";

/** A ClickHouse server of our own, over one folder, on the loopback address. */
export interface ClickhouseServer {
  /** Of HTTP; ClickHouse's own protocol has the next one. */
  readonly port: number;
  /** The address of one of its databases. */
  readonly url: (database: string) => string;
  /** Runs one statement without a result. */
  readonly command: (statement: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** `kill -9`. */
  readonly kill: () => Promise<void>;
  /** As SIGSTOP and SIGCONT: connections stay open and nothing comes. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/** How a server is started. */
export interface ClickhouseServerOptions {
  /** A free one (and the next) when omitted. */
  readonly port?: number;
  /** Elements of ClickHouse's configuration, as XML. */
  readonly config?: string;
}

const program = join(import.meta.dirname, "clickhouse-process.ts");
/**
 * The server opens its standard input by name, which works for a pipe, and not for the socket that
 * Node makes. The pipe ends when this process does, and the server with it.
 */
const throughPipe = 'cat | "$@"';
const startsWithinMs = 30_000;

/** What tasks/engines installs. */
const engines = join(import.meta.dirname, "../../../../.tools/engines/stamp");

/** Starts a server over a folder, which is made when it is absent; resolves once HTTP answers. */
export async function startClickhouseServer(
  folder: string,
  { port, config = "" }: ClickhouseServerOptions = {},
): Promise<ClickhouseServer> {
  if (!existsSync(engines)) throw new Error(`${engines} is missing: run tasks/engines`);
  const listening = port ?? (await freePortPair());
  mkdirSync(folder, { recursive: true });
  const file = join(folder, "config.xml");
  writeFileSync(file, `<clickhouse>${config}</clickhouse>`);
  const parameters = [program, String(listening), join(folder, "data"), file];
  // In a group of its own, so that a signal reaches the server and not the shell alone.
  const child = spawn("sh", ["-c", throughPipe, "sh", process.execPath, ...parameters], {
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  // The shell ends before the server, which still has the port. The output closes with the last.
  const exited = once(child.stdout.resume(), "close");
  const signalled = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
  };
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    signalled("SIGCONT");
    signalled(signal);
    child.stdin.end();
    await exited;
  };
  const address = `http://127.0.0.1:${listening}`;
  await untilAnswers(address, child).catch(async (error: unknown) => {
    await end("SIGKILL");
    throw error;
  });
  return {
    port: listening,
    url: (database) => `${address}/${database}`,
    command: (statement) => command(address, statement),
    stop: () => end("SIGTERM"),
    kill: () => end("SIGKILL"),
    pause: () => signalled("SIGSTOP"),
    resume: () => signalled("SIGCONT"),
  };
}

async function command(address: string, statement: string): Promise<void> {
  const reply = await fetch(address, { method: "POST", body: statement });
  if (!reply.ok) throw new Error(await reply.text());
  await reply.arrayBuffer();
}

async function untilAnswers(address: string, child: ChildProcess): Promise<void> {
  const answers = async () => {
    if (child.exitCode !== null) throw new Error("ClickHouse ended before it was ready");
    const reply = await fetch(`${address}/ping`).catch(() => null);
    return reply?.ok === true ? true : null;
  };
  await until("ClickHouse answers", answers, startsWithinMs);
}

/** A port of the loopback address which is free together with the next one. */
export async function freePortPair(): Promise<number> {
  for (;;) {
    const first = createServer().listen(0, "127.0.0.1");
    await once(first, "listening");
    const address = first.address();
    if (address === null || typeof address === "string") throw new Error("no free port");
    const second = createServer().listen(address.port + 1, "127.0.0.1");
    const isFree = await Promise.race([
      once(second, "listening").then(() => true),
      once(second, "error").then(() => false),
    ]).catch(() => false);
    for (const server of isFree ? [first, second] : [first]) {
      server.close();
      await once(server, "close");
    }
    if (isFree) return address.port;
  }
}
