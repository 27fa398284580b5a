import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** Where and with what a program runs. */
export interface ProgramOptions {
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Runs a program to its end. @returns its standard output.
 * @throws with all that it printed when its status is not 0.
 */
export async function runProgram(
  program: string,
  parameters: readonly string[],
  { folder, environment }: ProgramOptions,
): Promise<string> {
  const child = spawn(program, parameters, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  if (status === 0) return output;
  throw new Error(`${program} ${parameters.join(" ")}: status ${status}\n${output}${errors}`);
}

/** A program that serves until it is stopped. */
export interface ServingProgram {
  /** What it printed when it was ready: one write, of one or more lines. */
  readonly printed: string;
  /** From its start until it was ready. */
  readonly seconds: number;
  readonly stop: () => Promise<void>;
}

/** How long a server may take until it is ready. */
const startMsMax = 180_000;

/** Starts a server, and waits until it prints that it listens. @throws when it does not. */
export async function startServer(
  program: string,
  parameters: readonly string[],
  { folder, environment }: ProgramOptions,
): Promise<ServingProgram> {
  const startMs = performance.now();
  const child = spawn(program, parameters, {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // npx and what it starts are stopped together
  });
  const kill = (): void => signal(child, "SIGKILL");
  process.once("exit", kill);
  const errors = text(child.stderr);
  const overdue = setTimeout(kill, startMsMax);
  const printed = await firstLines(child.stdout);
  clearTimeout(overdue);
  const seconds = (performance.now() - startMs) / 1_000;
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    signal(child, "SIGTERM");
    await errors; // open until npx and all that it started have ended
  };
  if (printed !== "") return { printed, seconds, stop };
  await stop();
  throw new Error(`${program} ${parameters.join(" ")} ended:\n${await errors}`);
}

async function firstLines(output: Readable): Promise<string> {
  let printed = "";
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    printed += String(chunk);
    if (printed.endsWith("\n")) break;
  }
  output.resume(); // or what it prints later fills the pipe
  return printed;
}

/** A demo that is being served. */
export interface ServedDemo extends ServingProgram {
  readonly url: string;
  readonly key: string;
}

/** Starts a command that ends in `demo`, and waits until it listens on a port of its own choice. */
export async function serveDemo(
  program: string,
  parameters: readonly string[],
  place: ProgramOptions,
): Promise<ServedDemo> {
  const server = await startServer(
    program,
    [...parameters, "demo", "--last-day", "2026-10-31", "--port", "0", "--json"],
    place,
  );
  const { url, key } = JSON.parse(server.printed) as Pick<ServedDemo, "url" | "key">;
  return { ...server, url, key };
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It is gone already.
  }
}
