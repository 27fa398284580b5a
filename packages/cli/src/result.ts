/** What a command ends with: 0 done, 1 failed, 2 done with rejected input or wrong usage. */
export type ExitStatus = 0 | 1 | 2;

/** A failure that the user can mend: its message is shown without a stack. */
export class CommandError extends Error {
  readonly exitStatus: ExitStatus;
  /** More than the message, for `--json`. */
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
