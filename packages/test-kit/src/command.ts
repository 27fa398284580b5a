import { type ChildProcessByStdio, spawn } from "node:child_process";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";

const root = join(import.meta.dirname, "../../..");
const main = join(root, "packages/cli/src/main.ts");
/** What a process is started with as NODE_COMPILE_CACHE, as the launcher has it. */
export const compileCache = join(root, ".tools/compile-cache");

/** What a command left behind. */
export interface Finished {
  /** Null: a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command can be started with. */
export interface CommandOptions {
  /** Standard input; without it, an empty one. */
  readonly input?: string | Buffer;
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder to run in. */
  readonly folder?: string;
  /** A command with its parameters that starts it, such as one that takes rights away. */
  readonly through?: readonly string[];
}

/** A command that was started. */
export interface RunningCommand {
  readonly process: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly finished: Promise<Finished>;
}

/** The environment of a command: what is given, and none of this process's own settings. */
export function commandEnvironment(
  environment: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] => !/^(SIGHTLINE_|NODE_|UV_)/.test(entry[0]),
  );
  const named = Object.fromEntries(inherited);
  return { ...named, NODE_COMPILE_CACHE: compileCache, ...environment };
}

/** Starts the real `sightline`, as the launcher does, with none of this process's settings. */
export function startCommand(
  parameters: readonly string[],
  { input, environment, folder, through = [] }: CommandOptions = {},
): RunningCommand {
  const [command, ...all] = [...through, process.execPath, main, ...parameters];
  const child = spawn(command ?? process.execPath, all, {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: commandEnvironment(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined); // a command need not read its input
  child.stdin.end(input ?? "");
  const exited = new Promise<Pick<Finished, "status" | "signal">>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (status, signal) => resolve({ status, signal }));
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const finished = Promise.all([exited, output]).then(([exit, [stdout, stderr]]) => {
    return { ...exit, stdout, stderr };
  });
  return { process: child, finished };
}

/** Runs the real `sightline` to its end. */
export function runCommand(
  parameters: readonly string[],
  options: CommandOptions = {},
): Promise<Finished> {
  return startCommand(parameters, options).finished;
}

/** The document that a command printed. @throws when it is not one, and only one, line of JSON. */
export function printedDocument<Document>({
  stdout,
  stderr,
}: Pick<Finished, "stdout" | "stderr">): Document {
  if (!/^[^\n]+\n$/.test(stdout)) {
    throw new Error(`not one line on standard output: ${JSON.stringify(stdout)}\n${stderr}`);
  }
  return JSON.parse(stdout) as Document;
}

/** A serving process. */
export interface Serving extends RunningCommand {
  /** Base address, such as http://127.0.0.1:8080. */
  readonly url: string;
  /** The code of the link that creates the first account; null: none was printed. */
  readonly firstRun: string | null;
}

/** Starts `serve` on a free port; resolves when it is ready. @throws when it ends first. */
export async function startServing(
  dataDir: string,
  { parameters = [], ...options }: CommandOptions & { readonly parameters?: string[] } = {},
): Promise<Serving> {
  const flags = ["--data-dir", dataDir, "--port", "0", "--log-level", "error"];
  const running = startCommand(["serve", ...flags, ...parameters], options);
  const ready = new Promise<Pick<Serving, "url" | "firstRun">>((resolve) => {
    running.process.stdout.on("data", (data: Buffer) => {
      const text = data.toString();
      const [, url] = /^listening on (http:\S+)\n/.exec(text) ?? [];
      const [, firstRun = null] = /\/#first-run=(\S+)/.exec(text) ?? [];
      if (url !== undefined) resolve({ url, firstRun });
    });
  });
  const ended = running.finished.then(({ status, stderr }): never => {
    throw new Error(`serve ended with status ${status} before it was ready:\n${stderr}`);
  });
  const { url, firstRun } = await Promise.race([ready, ended]);
  return { ...running, url, firstRun };
}

/** Tells a process to stop in good order, and waits until it did. */
export function stopped({ process: child, finished }: RunningCommand): Promise<Finished> {
  child.kill("SIGTERM");
  return finished;
}
