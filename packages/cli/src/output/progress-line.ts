import type { Surroundings } from "../surroundings.ts";
import { canRedraw } from "./terminal.ts";

/** A line on standard error that says how far long work is. */
export interface ProgressLine {
  readonly update: (text: string) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** Nothing where nobody looks, or where a line cannot be written over. */
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
