/**
 * Asks `condition` again and again, until it gives something other than null; the test fails when
 * it has not by the deadline. For what another process or thread does by itself and no event tells:
 * never for waiting a while.
 */
export async function until<Value>(
  what: string,
  condition: () => Promise<Value | null> | Value | null,
  deadlineMs = 10_000,
): Promise<Value> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value !== null) return value;
    if (performance.now() > end) throw new Error(`${what}: not within ${deadlineMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Asked without a pause, the condition takes a core from what it waits for. */
const pauseMs = 2;
