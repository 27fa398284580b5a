import { pino } from "pino";
import type { Logger } from "../../server/src/platform/logger.ts";

/** A line of the log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A log of every level whose lines a test can look at. */
export interface RecordedLog {
  readonly logger: Logger;
  readonly lines: readonly LogLine[];
}

/** A log that is kept in memory. */
export function recordedLog(): RecordedLog {
  const lines: LogLine[] = [];
  const write = (line: string) => {
    lines.push(JSON.parse(line) as LogLine);
  };
  return { logger: pino({ level: "trace", base: null }, { write }), lines };
}
