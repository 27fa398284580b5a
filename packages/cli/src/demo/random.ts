/** A seeded stream of numbers: the same seed gives the same stream on every machine. */
export interface Random {
  /** The next number, from 0 (included) to 1 (not included). */
  next(): number;
  /** True with the given probability, 0 to 1. */
  chance(probability: number): boolean;
  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
}

/** The mulberry32 generator: 32 bits of state, quick, and even enough for demo data. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return {
    next,
    chance: (probability) => next() < probability,
    between: (low, high) => low + Math.floor(next() * (high - low + 1)),
  };
}

/** One item of a list, all equally likely. Throws a RangeError when the list is empty. */
export function pickFrom<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random.next() * items.length)];
  if (item === undefined) throw new RangeError("cannot pick from an empty list");
  return item;
}

/** The items in a random order (Fisher-Yates); the list itself stays as it was. */
export function shuffled<Item>(random: Random, items: readonly Item[]): Item[] {
  const rest = [...items];
  const order: Item[] = [];
  while (rest.length > 0) {
    order.push(...rest.splice(Math.floor(random.next() * rest.length), 1));
  }
  return order;
}

/**
 * A picker that draws items in proportion to their weights. The sums are made once, so that a draw
 * costs a binary search. Throws a RangeError when there is nothing with a weight above 0.
 */
export function weightedPicker<Item>(
  items: readonly Item[],
  weightOf: (item: Item, place: number) => number,
): (random: Random) => Item {
  const sums: number[] = [];
  let total = 0;
  for (const [place, item] of items.entries()) {
    total += weightOf(item, place);
    sums.push(total);
  }
  if (!(total > 0)) throw new RangeError("a picker needs a positive weight");
  return (random) => {
    const target = random.next() * total;
    let low = 0;
    let high = sums.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? total) > target) high = middle;
      else low = middle + 1;
    }
    const item = items[low];
    if (item === undefined) throw new RangeError("a draw left the list");
    return item;
  };
}
