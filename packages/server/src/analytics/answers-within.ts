import type { AnswerSegment } from "./index-answers.ts";
import type { CountedStretch } from "./index-stretches.ts";

/** So many are given at a time, at most. */
export const foundMax = 1_024;
/** Room for places; used up at once. */
const room = new Int32Array(foundMax);

/**
 * Gives the places of those of a stretch's answers that count, so many at a time, to be used at
 * once. With no answer in between that does not count, what else there is of them is read from
 * memory several at a time.
 */
export function eachWithin(
  { segment: { answeredAt }, from, to, instants }: CountedStretch<AnswerSegment>,
  work: (answers: Int32Array, count: number) => void,
): void {
  // One comparison in place of two: answers lie before and after by turns, and the first would be
  // guessed wrong.
  const middleMs = (instants.fromMs + instants.toMs - 1) / 2;
  const reachMs = instants.toMs - 1 - middleMs;
  let found = 0;
  for (let start = from; start < to; ) {
    const end = Math.min(to, start + room.length - found);
    for (let answer = start; answer < end; answer++) {
      if (Math.abs((answeredAt[answer] ?? 0) - middleMs) <= reachMs) room[found++] = answer;
    }
    start = end;
    if (found < room.length && start < to) continue;
    if (found > 0) work(room, found);
    found = 0;
  }
}
