/** The approximate time that one slice of long work blocks the event loop. */
const turnMs = 4;

/** Callers waiting for a turn, in order. */
const line: (() => void)[] = [];
/** Whether this round of the event loop has used its turn. */
let taken = false;

/**
 * Runs long work of the main thread in slices of a few milliseconds, one slice per round of the
 * event loop over all such work: short requests wait for at most one slice, however much long work
 * there is.
 * @throws the signal's reason when it aborts, between two slices.
 */
export async function inTurns<Result>(
  work: Iterator<void, Result>,
  signal: AbortSignal,
): Promise<Result> {
  for (;;) {
    await nextTurn();
    signal.throwIfAborted();
    const end = performance.now() + turnMs;
    do {
      const step = work.next();
      if (step.done === true) return step.value;
    } while (performance.now() < end);
  }
}

/** Calls `each` for all items, in order, and yields to the event loop between slices. */
export async function eachInTurns<Item>(
  items: readonly Item[],
  each: (item: Item, index: number) => void,
): Promise<void> {
  await nextTurn();
  let endMs = performance.now() + turnMs;
  for (const [index, item] of items.entries()) {
    each(item, index);
    if (performance.now() < endMs) continue;
    await nextTurn();
    endMs = performance.now() + turnMs;
  }
}

/**
 * Resolves at the caller's turn, for one caller per round of the event loop. Use it directly for
 * work that cannot be paused and takes less than about 20 ms.
 */
export function nextTurn(): Promise<void> {
  if (taken) return new Promise((resolve) => line.push(resolve));
  taken = true;
  setImmediate(nextRound);
  return Promise.resolve();
}

function nextRound(): void {
  const next = line.shift();
  taken = next !== undefined;
  if (next === undefined) return;
  setImmediate(nextRound);
  next();
}
