import type { Surroundings } from "../surroundings.ts";
import { canRedraw } from "./terminal.ts";

/** A line on standard error that shows the progress of long work. */
export interface ProgressLine {
  readonly update: (text: string) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Nothing without a terminal, or where a line cannot be overwritten. */
export function progressLine({ stderr, environment }: Surroundings): ProgressLine {
  if (!canRedraw(stderr, environment)) return { update: () => undefined, end: () => undefined };
  let isShown = false;
  return {
    update: (text) => {
      stderr.write(`\r\u001b[K${text}`);
      isShown = true;
    },
    end: () => {
      if (isShown) stderr.write("\r\u001b[K");
      isShown = false;
    },
  };
}
