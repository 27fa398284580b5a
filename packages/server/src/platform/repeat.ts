import type { Logger } from "./logger.ts";

/** Work that is done again and again. */
export interface RepeatedWork {
  /** For the log, when it fails. */
  readonly what: string;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/**
 * Runs each task at its interval, never concurrently with itself. A failure is logged, and tried again at the
 * next turn. @returns what stops it.
 */
export function repeat(logger: Logger, works: readonly RepeatedWork[]): () => void {
  const timers = works.map(({ what, everyMs, work }) => {
    let running = false;
    return setInterval(() => {
      if (running) return;
      running = true;
      work()
        .catch((error: unknown) => logger.error({ error: String(error) }, `${what} failed`))
        .finally(() => {
          running = false;
        });
    }, everyMs);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}
