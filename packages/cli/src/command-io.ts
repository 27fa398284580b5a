import type { Readable, Writable } from "node:stream";

/** A stream that a command writes to, with the properties of its terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/**
 * Everything that a command over the service's interface reads from outside, except its command
 * line, so that a test can control it.
 */
export interface CommandIo {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  /** The time of day: milliseconds since 1970-01-01T00:00:00Z. */
  readonly now: () => number;
}

/** Those of this process. */
export const processIo: CommandIo = {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  now: Date.now,
};
