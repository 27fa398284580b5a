import { eachInTurns } from "./turns.ts";

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
