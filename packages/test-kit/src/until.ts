/**
 * Asks `condition` again and again, until it gives something other than null; the test fails when
 * it has not by the deadline. For what another process or thread does by itself and no event tells:
 * never for waiting a while.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | null> | Value | null,
  deadlineMs = 60_000,
): Promise<Value> {
  const started = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== null) return value;
    const waitedMs = performance.now() - started;
    if (waitedMs > deadlineMs) throw new Error(`${what}: not within ${deadlineMs} ms`);
    const pauseMs = Math.min(Math.max(waitedMs / 20, firstPauseMs), longestPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/**
 * Asked without a pause, the condition takes a core from what it waits for; what takes long is
 * asked less often.
 */
const firstPauseMs = 2;
const longestPauseMs = 25;
