import type { Logger } from "./logger.ts";

/** A task that is repeated. */
export interface RepeatedWork {
  /** Its name in the log, when it fails. */
  readonly what: string;
  readonly everyMs: number;
  readonly work: () => Promise<void>;
}

/**
 * Runs each task at its interval, never concurrently with itself. A failure is logged and retried
 * at the next interval.
 * @returns a function that stops them.
 */
export function repeat(logger: Logger, works: readonly RepeatedWork[]): () => void {
  const timers = works.map(({ what, everyMs, work }) => {
    let running = false;
    return setInterval(() => {
      if (running) return;
      running = true;
      void attempt(work, (error) => logger.error({ error }, `${what} failed`)).finally(() => {
        running = false;
      });
    }, everyMs);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** TRICKY: what a task throws before its first wait would end the process, as a timer's error. */
async function attempt(work: () => Promise<void>, failed: (error: string) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    failed(String(error));
  }
}
