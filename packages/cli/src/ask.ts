import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { CommandError } from "./result.ts";
import type { Surroundings } from "./surroundings.ts";

/** A question to whoever sits at the terminal. */
export interface TerminalQuestion {
  readonly message: string;
  /** What stands there to be taken or changed. */
  readonly proposed?: string;
  /** Whether what is typed stays unseen. */
  readonly isSecret?: boolean;
  /** What is made of the typed line. What it throws is said, and the question asked again. */
  readonly read: (typed: string) => string;
}

/** Asks until there is an answer that can be read. @throws CommandError at Ctrl-C and Ctrl-D. */
export async function ask(surroundings: Surroundings, question: TerminalQuestion): Promise<string> {
  for (;;) {
    const typed = await typedLine(surroundings, question);
    try {
      return question.read(typed);
    } catch (error) {
      surroundings.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

function typedLine({ stdin, stderr }: Surroundings, question: TerminalQuestion): Promise<string> {
  const { message, proposed = "", isSecret = false } = question;
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? unseen : stderr;
  // As a terminal: that takes it over from the system, which would show each letter itself.
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
