/** The exit status of a command: 0 done, 1 failed, 2 done with rejected input or wrong usage. */
export type ExitStatus = 0 | 1 | 2;

/** A failure that the user can fix: its message is shown without a stack trace. */
export class CommandError extends Error {
  readonly exitStatus: ExitStatus;
  /** Details in addition to the message, for `--json`. */
  readonly details: unknown;

  constructor(message: string, exitStatus: ExitStatus = 1, details: unknown = undefined) {
    super(message);
    this.name = "CommandError";
    this.exitStatus = exitStatus;
    this.details = details;
  }
}

/** Prints a command's result: one JSON document with `--json`, else the text. */
export function printResult(json: boolean, document: unknown, text: string): void {
  process.stdout.write(json ? `${JSON.stringify(document)}\n` : `${text}\n`);
}
