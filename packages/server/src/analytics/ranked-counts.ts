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
}

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
  if (page.offset >= total) return { total, citations, candidates: [], skip: 0 };
  const countAt = rankedCounts(counts);
  const most = countAt(page.offset);
  const least = countAt(Math.min(page.offset + page.limit, total) - 1);
  const candidates: CountedSource[] = [];
  let before = 0;
  for (let index = 0; index < total; index++) {
    const count = counts[index] ?? 0;
    if (count > most) before++;
    else if (count >= least) candidates.push({ number: numbers[index] ?? 0, citations: count });
  }
  return { total, citations, candidates, skip: page.offset - before };
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

/** Room to count in, used again: new arrays for each question would be most of its cost. */
let [countOf, seen, counts] = [new Int32Array(), new Int32Array(), new Int32Array()];

/**
 * Counts how often each number, from 0, occurs. What it gives is good until it is called again: it
 * must be used up in the same turn of the event loop.
 */
export function countNumbers(numbers: Int32Array): SourceCounts {
  let greatest = 0;
  for (let index = 0; index < numbers.length; index++) {
    greatest = Math.max(greatest, numbers[index] ?? 0);
  }
  if (countOf.length <= greatest) {
    [countOf, seen, counts] = [
      new Int32Array(greatest + 1),
      new Int32Array(greatest + 1),
      new Int32Array(greatest + 1),
    ];
  }
  let distinct = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index] ?? 0;
    const count = countOf[number] ?? 0;
    if (count === 0) seen[distinct++] = number;
    countOf[number] = count + 1;
  }
  for (let index = 0; index < distinct; index++) {
    const number = seen[index] ?? 0;
    counts[index] = countOf[number] ?? 0;
    countOf[number] = 0; // as the next call finds it
  }
  return { numbers: seen.subarray(0, distinct), counts: counts.subarray(0, distinct) };
}
