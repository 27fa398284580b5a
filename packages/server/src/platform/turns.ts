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

/** A turn of its own for work that cannot be paused, and takes less than some 20 ms. */
export async function ownTurn(): Promise<void> {
  await nextTurn();
}

function nextTurn(): Promise<void> | undefined {
  if (taken) return new Promise((resolve) => line.push(resolve));
  taken = true;
  setImmediate(nextRound);
  return undefined;
}

function nextRound(): void {
  const next = line.shift();
  taken = next !== undefined;
  if (next === undefined) return;
  setImmediate(nextRound);
  next();
}
