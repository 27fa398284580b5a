import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { CommandIo } from "./command-io.ts";
import { CommandError } from "./result.ts";

/** A question that is asked on the terminal. */
export interface TerminalQuestion {
  readonly message: string;
  /** The answer that is filled in and can be edited. */
  readonly proposed?: string;
  /** Whether what is typed is not shown. */
  readonly isSecret?: boolean;
  /** Parses the typed line. When it throws, the message is shown and the question asked again. */
  readonly read: (typed: string) => string;
}

/** Asks until the answer is valid. @throws CommandError at Ctrl-C and Ctrl-D. */
export async function ask(io: CommandIo, question: TerminalQuestion): Promise<string> {
  for (;;) {
    const typed = await typedLine(io, question);
    try {
      return question.read(typed);
    } catch (error) {
      io.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

function typedLine({ stdin, stderr }: CommandIo, question: TerminalQuestion): Promise<string> {
  const { message, proposed = "", isSecret = false } = question;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? unseen : stderr;
  // Raw mode: the terminal itself would show each letter.
  const lines = createInterface({ input: stdin, output, terminal: true });
  if (isSecret) stderr.write(`${message}: `);
  return new Promise((resolve, reject) => {
    const cancelled = () => {
      stderr.write("\n");
      reject(new CommandError("Cancelled; nothing was stored."));
    };
    lines.on("close", cancelled);
    lines.question(`${message}: `, (typed) => {
      if (isSecret) stderr.write("\n");
      lines.off("close", cancelled).close();
      resolve(typed);
    });
    lines.write(proposed);
  });
}
