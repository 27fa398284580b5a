import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import type { Output } from "../src/command-io.ts";
import { runSightline } from "../src/run-sightline.ts";

/** What a command line is run with. */
export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** The width of the terminal that standard output is; without it, it is a pipe. */
  readonly terminal?: number;
  /** The time of day. */
  readonly now?: string;
}

/** What a command line left behind. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command over the service's interface in this process. */
export async function run(
  parameters: readonly string[],
  { environment = {}, input = "", terminal, now }: RunOptions = {},
): Promise<Ran> {
  const stdout: Output = Object.assign(new PassThrough(), {
    isTTY: terminal !== undefined,
    ...(terminal === undefined ? {} : { columns: terminal }),
  });
  const stderr = new PassThrough();
  const printed = Promise.all([text(stdout as PassThrough), text(stderr)]);
  const status = await runSightline(parameters, {
    environment: { TERM: "xterm", ...environment },
    stdin: Readable.from([input]),
    stdout,
    stderr,
    now: () => Date.parse(now ?? "2026-03-01T12:00:00Z"),
  });
  stdout.end();
  stderr.end();
  const [out, err] = await printed;
  return { status, stdout: out, stderr: err };
}
