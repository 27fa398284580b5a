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

/** A log of JSON lines on standard error: standard output belongs to the commands' results. */
export function createLogger(level: LogLevel): Logger {
  const destination = pino.destination({ fd: 2, sync: true });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
