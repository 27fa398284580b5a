/** The longest that one turn of long work holds the event loop, about. */
const turnMs = 4;

/** Who waits for a turn, in order. */
const line: (() => void)[] = [];
/** Whether this round of the event loop has had its turn. */
let taken = false;

/**
 * Does long work of the main thread in turns of a few milliseconds, one turn in each round of the
 * event loop over all such work: requests that are quick wait for a turn at most, however much
 * long work there is. @throws the signal's reason when it aborts, between two turns.
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

/** Calls `each` for all items, in order, and lets the event loop go on between turns. */
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
 * Resolves when it is the caller's turn, for one caller in each round of the event loop. By itself
 * for work that cannot be paused and takes less than some 20 ms.
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
