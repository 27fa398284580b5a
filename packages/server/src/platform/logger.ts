import { type Logger as PinoLogger, pino } from "pino";

/**
 * A structured log. Keys, tokens and texts of prompts and answers are never logged at info or
 * above.
 */
export type Logger = PinoLogger;

/** The log levels that can be set. */
export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** One of the log's levels. */
export type LogLevel = (typeof logLevels)[number];

/** JSON lines for machines, or sentences for who reads the terminal. */
export type LogFormat = "json" | "prose";

/** A log on standard error: standard output belongs to the commands' results. */
export function createLogger(level: LogLevel, format: LogFormat = "json"): Logger {
  const written = pino.destination({ fd: 2, sync: true });
  const destination =
    format === "json" ? written : { write: (line: string) => written.write(proseOf(line)) };
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** A line of the log as a sentence: its level, what happened, and why. */
export function proseOf(line: string): string {
  const { level, msg, error } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const label = pino.levels.labels[Number(level)] ?? "";
  return `${label}: ${msg}${error === undefined ? "" : ` (${error})`}\n`;
}
