import type { Clock } from "./clock.ts";

/**
 * Resolves after this many milliseconds.
 * @throws the signal's reason, as soon as it is aborted.
 */
export function wait(ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  let callOff = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    callOff = clock.after(ms, resolve);
  });
  return unlessAborted(passed, signal).finally(callOff);
}

/** The promise's result, or, as soon as the signal is aborted, a rejection with its reason. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/**
 * The items, until the signal is aborted, also while the next one is waited for.
 * @throws the signal's reason
 */
export async function* itemsUnlessAborted<Item>(
  items: AsyncGenerator<Item>,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  try {
    for (;;) {
      const next = await unlessAborted(items.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Closes what they come from. Not awaited: that waits for an item which may never come.
    items.return(undefined).catch(() => undefined);
  }
}
