import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
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

/** A demo that is being served. */
export interface ServedDemo {
  readonly url: string;
  readonly key: string;
  /** From its start until it said that it listens. */
  readonly seconds: number;
  readonly stop: () => Promise<void>;
}

/** How long a demo may take until it listens. */
const startMsMax = 180_000;

/** Starts a command that ends in `demo`, and waits until it listens on a port of its own choice. */
export async function serveDemo(
  program: string,
  parameters: readonly string[],
  { folder, environment }: ProgramOptions,
): Promise<ServedDemo> {
  const startMs = performance.now();
  const child = spawn(
    program,
    [...parameters, "demo", "--last-day", "2026-10-31", "--port", "0", "--json"],
    {
      cwd: folder,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true, // npx and what it starts are stopped together
    },
  );
  const kill = (): void => signal(child, "SIGKILL");
  process.once("exit", kill);
  const errors = text(child.stderr);
  const overdue = setTimeout(kill, startMsMax);
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.endsWith("\n")) break;
  }
  clearTimeout(overdue);
  const seconds = (performance.now() - startMs) / 1_000;
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    signal(child, "SIGTERM");
    await errors; // open until npx and all that it started have ended
  };
  try {
    const { url, key } = JSON.parse(printed) as { readonly url: string; readonly key: string };
    return { url, key, seconds, stop };
  } catch {
    await stop();
    throw new Error(`the demo did not come to listen; it printed:\n${printed}${await errors}`);
  }
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name);
  } catch {
    // It is gone already.
  }
}
