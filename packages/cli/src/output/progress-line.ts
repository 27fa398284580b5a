import type { CommandIo } from "../command-io.ts";
import { canRedraw, terminalOf } from "./terminal.ts";
import { fitted } from "./text-width.ts";

/** A line on standard error that shows the progress of long work. */
export interface ProgressLine {
  readonly update: (text: string) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/**
 * Nothing without a terminal, or where a line cannot be overwritten.
 * @param printsMeanwhile the work writes to standard output: on the same terminal, its lines would
 * begin behind the progress.
 */
export function progressLine(
  { stdout, stderr, environment }: CommandIo,
  printsMeanwhile = false,
): ProgressLine {
  const isAlone = !(printsMeanwhile && stdout.isTTY === true);
  if (!isAlone || !canRedraw(stderr, environment)) {
    return { update: () => undefined, end: () => undefined };
  }
  // A row that is full to its last column would begin another one.
  const width = terminalOf(stderr, environment).width - 1;
  let isShown = false;
  return {
    update: (text) => {
      stderr.write(`\r\u001b[K${fitted(text, width)}`);
      isShown = true;
    },
    end: () => {
      if (isShown) stderr.write("\r\u001b[K");
      isShown = false;
    },
  };
}
