import { styleText } from "node:util";
import type { CommandIo, Output } from "../command-io.ts";

/** What output is made for. Rendering takes this and nothing else from outside. */
export interface Terminal {
  /** Columns, at least 20. */
  readonly width: number;
  readonly colour: boolean;
  /** Whether it is read interactively; false for a pipe or a file. */
  readonly isTerminal: boolean;
}

const widthMin = 20;
/** A wider table is harder to read, not easier; and COLUMNS may say anything. */
const widthMax = 500;
const widthWithoutTerminal = 80;

/**
 * The properties of a stream's terminal. `COLUMNS` takes precedence over the terminal's own width.
 * A non-empty `NO_COLOR` disables colour, then `FORCE_COLOR` enables it or, as `0` or `false`,
 * disables it; otherwise a terminal that is not `dumb` has colour. This is commander's order, which
 * colours nothing itself.
 */
export function terminalOf(stream: Output, environment: CommandIo["environment"]): Terminal {
  const isTerminal = stream.isTTY === true;
  const given = /^[1-9]\d{0,5}$/.exec(environment["COLUMNS"] ?? "")?.[0];
  // A terminal that was never given a size says 0.
  const own = stream.columns === undefined || stream.columns === 0 ? null : stream.columns;
  const width = given === undefined ? (own ?? widthWithoutTerminal) : Number(given);
  return {
    width: Math.min(Math.max(width, widthMin), widthMax),
    colour: hasColour(isTerminal, environment),
    isTerminal,
  };
}

function hasColour(isTerminal: boolean, environment: CommandIo["environment"]): boolean {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: kind } = environment;
  if (none !== undefined && none !== "") return false;
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && kind !== "dumb";
}

/** Whether a line may be written over: not where TERM says that the cursor cannot be moved. */
export function canRedraw(stream: Output, environment: CommandIo["environment"]): boolean {
  return stream.isTTY === true && environment["TERM"] !== "dumb";
}

/** A style that a text may have. */
export type Style = Parameters<typeof styleText>[0];

/** The text in a style if there is colour, otherwise unchanged. */
export function styled({ colour }: Terminal, style: Style | undefined, text: string): string {
  if (!colour || style === undefined) return text;
  return styleText(style, text, { validateStream: false });
}
