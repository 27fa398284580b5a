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

/** The length of a run that is sorted in one step: fast even for long similar texts. */
const sortedRunLength = 500;

/** Like `toSorted`, in time slices. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  const starts: number[] = [];
  for (let start = 0; start < items.length; start += sortedRunLength) starts.push(start);
  let runs: Item[][] = [];
  await eachInTurns(starts, (start) => {
    runs.push(items.slice(start, start + sortedRunLength).sort(compare));
  });
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let index = 0; index < runs.length; index += 2) {
      merged.push(await mergedInTurns(runs[index] ?? [], runs[index + 1] ?? [], compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function mergedInTurns<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = [];
  let place = 0;
  await eachInTurns(first, (item) => {
    // Of equal items, the one of the first run comes first: the sort is stable.
    for (let other = second[place]; other !== undefined; other = second[place]) {
      if (compare(other, item) >= 0) break;
      merged.push(other);
      place++;
    }
    merged.push(item);
  });
  return merged.concat(second.slice(place));
}
