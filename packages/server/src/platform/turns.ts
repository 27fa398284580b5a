import { setImmediate } from "node:timers/promises";

/**
 * How long one turn of long work may take, in milliseconds. A request waits for a few turns of the
 * event loop, and must wait less than 50 ms.
 */
const turnMs = 4;

/** The length of a run that is sorted in one go: quick also for long texts that are similar. */
const sortedRunLength = 500;

/** The turn of whoever waits last. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, for one caller in each. TRICKY: immediates that wait
 * together run together, before any request is read: twenty callers would take twenty turns' time.
 */
export function nextTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => setImmediate());
  return lastTurn;
}

/** Calls `each` for all items, in order, and lets the event loop go on between turns. */
export async function inTurns<Item>(
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

/** As `toSorted`, in turns. */
export async function sortedInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<readonly Item[]> {
  const starts: number[] = [];
  for (let start = 0; start < items.length; start += sortedRunLength) starts.push(start);
  let runs: Item[][] = [];
  await inTurns(starts, (start) => {
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
  await inTurns(first, (item) => {
    // Of equal items that of the first run comes first: the sort is stable.
    for (let other = second[place]; other !== undefined; other = second[place]) {
      if (compare(other, item) >= 0) break;
      merged.push(other);
      place++;
    }
    merged.push(item);
  });
  return merged.concat(second.slice(place));
}
