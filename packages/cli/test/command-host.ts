import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable } from "node:stream";
import {
  type CommandOptions,
  commandEnvironment,
  type Finished,
  runCommand,
} from "@sightline/test-kit/command.ts";
import { atProcessEnd } from "@sightline/test-kit/process-end.ts";

/** A command line, as the host's process gets it. */
export interface HostedCommand {
  readonly parameters: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What the process prints on both outputs when the command has ended. */
  readonly mark: string;
}

interface Host {
  readonly child: ChildProcess;
  readonly outputs: readonly [Readable, Readable];
  readonly exited: Promise<Ending>;
}

type Ending = Pick<Finished, "status" | "signal">;

/** A command costs milliseconds, its process and all that it loads a third of a second. */
let host: Host | null = null;
let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end as `runCommand` does, but in a process that is there already and runs
 * one command at a time. The command has ended when nothing is left that would keep a process of
 * its own alive. One with input, or that is started through another, gets its own process.
 */
export async function runHosted(
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<Finished> {
  if (options.input !== undefined || options.through !== undefined) {
    return runCommand(parameters, options);
  }
  const { folder = process.cwd() } = options;
  const environment = commandEnvironment(options.environment);
  const turn = latest.then(() => run({ parameters, folder, environment, mark: randomUUID() }));
  latest = turn.catch(() => undefined);
  return await turn;
}

async function run(command: HostedCommand): Promise<Finished> {
  host ??= start();
  const { child, outputs, exited } = host;
  const printed = Promise.all(outputs.map((output) => printedUntil(output, command.mark)));
  const replied = once(child, "message") as Promise<[Pick<Ending, "status">]>;
  child.send(command);
  // A command that ends its process, or breaks it, ends this one.
  const ended = replied.then(([{ status }]): Ending => ({ status, signal: null }));
  const ending = await Promise.race([ended, exited]);
  const [stdout = "", stderr = ""] = await printed;
  return { ...ending, stdout, stderr };
}

function start(): Host {
  const program = join(import.meta.dirname, "command-host-process.ts");
  const child = spawn(process.execPath, [program], {
    env: commandEnvironment(),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("the process of commands has no output");
  const exited = once(child, "exit").then(([status, signal]): Ending => {
    host = null;
    return { status, signal };
  });
  atProcessEnd(async () => {
    if (child.connected) child.disconnect();
    await exited;
  });
  return { child, outputs: [stdout, stderr], exited };
}

/** What comes before a mark, or before the end. */
function printedUntil(output: Readable, mark: string): Promise<string> {
  const end = Buffer.from(mark);
  const { promise, resolve } = Promise.withResolvers<string>();
  const chunks: Buffer[] = [];
  let last = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    chunks.push(chunk);
    last = Buffer.concat([last, chunk]).subarray(-end.length);
    if (!last.equals(end)) return;
    output.off("data", take).off("end", finish);
    resolve(Buffer.concat(chunks).subarray(0, -end.length).toString());
  };
  const finish = () => resolve(Buffer.concat(chunks).toString());
  output.on("data", take).once("end", finish);
  return promise;
}
