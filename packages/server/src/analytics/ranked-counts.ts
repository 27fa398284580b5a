/** Citations of every source that has any, side by side: `numbers[i]` has `counts[i]`. */
export interface SourceCounts {
  readonly numbers: Int32Array;
  readonly counts: Int32Array;
}

/** A source by its number, and its citations. */
export interface CountedSource {
  readonly number: number;
  readonly citations: number;
}

/** Which sources a page is made of, before their names are known. */
export interface PageCandidates {
  /** Distinct sources. */
  readonly total: number;
  /** All citations, not only the page's. */
  readonly citations: number;
  /** Those that can be on the page, in no order: with them come all that tie with one of it. */
  readonly candidates: readonly CountedSource[];
  /** How many of the candidates, ordered by citations and name, come before the page. */
  readonly skip: number;
  /** The numbers of some that are no candidates, and may be when a little more was counted. */
  readonly near: readonly number[];
}

/** A source is near a page whose counts it misses by no more than this part of them. */
const nearPart = 0.2;
const nearMax = 1_000;

/** Counts from here on are sorted; there are few of them, since their sum is the citations'. */
const manyCitations = 1024;

/**
 * The sources that can be on a page of `limit` from `offset`. Names order those that tie, so they
 * are needed for the candidates alone. Takes a few passes over the counts, and sorts few of them.
 */
export function pageCandidates(
  { numbers, counts }: SourceCounts,
  page: { readonly limit: number; readonly offset: number },
): PageCandidates {
  const total = counts.length;
  // Plain loops: `for … of` takes several times as long over a million numbers.
  let citations = 0;
  for (let index = 0; index < total; index++) citations += counts[index] ?? 0;
  if (page.offset >= total) return { total, citations, candidates: [], skip: 0, near: [] };
  const countAt = rankedCounts(counts);
  const most = countAt(page.offset);
  const least = countAt(Math.min(page.offset + page.limit, total) - 1);
  const [nearMost, nearLeast] = [most * (1 + nearPart), least * (1 - nearPart)];
  const candidates: CountedSource[] = [];
  const near: number[] = [];
  let before = 0;
  for (let index = 0; index < total; index++) {
    const count = counts[index] ?? 0;
    if (count > most) before++;
    if (count < nearLeast || count > nearMost) continue;
    const number = numbers[index] ?? 0;
    if (count >= least && count <= most) candidates.push({ number, citations: count });
    else if (near.length < nearMax) near.push(number);
  }
  return { total, citations, candidates, skip: page.offset - before, near };
}

/** The count at each rank, from 0, the largest first. */
function rankedCounts(counts: Int32Array): (rank: number) => number {
  const many: number[] = [];
  const withCount = new Int32Array(manyCitations);
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index] ?? 0;
    if (count >= manyCitations) many.push(count);
    else withCount[count] = (withCount[count] ?? 0) + 1;
  }
  many.sort((one, other) => other - one);
  return (rank) => {
    if (rank < many.length) return many[rank] ?? 0;
    let [count, above] = [manyCitations, many.length];
    while (count > 0 && above <= rank) above += withCount[--count] ?? 0;
    return count;
  };
}

/** Room to count in: as many places in each as the largest number needs. */
interface Room {
  /** Zero at each number between two counts. */
  readonly countOf: Int32Array;
  readonly seen: Int32Array;
  readonly counts: Int32Array;
}

/** Room is used again: new arrays for each question would be most of its cost. */
let free: Room | null = null;

/** Counts how often each number, from 0 to the largest, occurs. */
export class NumberCounts {
  readonly #room: Room;
  #distinct = 0;

  constructor(largest: number) {
    const room = free;
    free = null;
    this.#room = room !== null && room.countOf.length > largest ? room : newRoom(largest + 1);
  }

  /** Counts the numbers of [from, to). */
  add(numbers: Int32Array, from: number, to: number): void {
    const { countOf, seen } = this.#room;
    let distinct = this.#distinct;
    for (let index = from; index < to; index++) {
      const number = numbers[index] ?? 0;
      const count = countOf[number] ?? 0;
      if (count === 0) seen[distinct++] = number;
      countOf[number] = count + 1;
    }
    this.#distinct = distinct;
  }

  /**
   * What was counted; nothing can be added after it. It is good until another count begins, so it
   * must be used up in the same turn of the event loop.
   */
  end(): SourceCounts {
    const { countOf, seen, counts } = this.#room;
    for (let index = 0; index < this.#distinct; index++) {
      const number = seen[index] ?? 0;
      counts[index] = countOf[number] ?? 0;
      countOf[number] = 0;
    }
    free = this.#room;
    const end = this.#distinct;
    return { numbers: seen.subarray(0, end), counts: counts.subarray(0, end) };
  }
}

function newRoom(places: number): Room {
  const column = () => new Int32Array(places);
  return { countOf: column(), seen: column(), counts: column() };
}

/** Counts how often each number, from 0, occurs; see NumberCounts. */
export function countNumbers(numbers: Int32Array): SourceCounts {
  let largest = 0;
  for (let index = 0; index < numbers.length; index++) {
    largest = Math.max(largest, numbers[index] ?? 0);
  }
  const counts = new NumberCounts(largest);
  counts.add(numbers, 0, numbers.length);
  return counts.end();
}
