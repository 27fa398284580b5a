import type { AnswerGroups } from "./answer-groups.ts";
import type { Instants } from "./instants.ts";
import type { WantedOrigins } from "./origins.ts";

/** Answers, rows, prompts or what else a segment has, that lie one after another: [from, to). */
export interface IndexStretch<Segment> {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

/** A stretch of which those answers count that are within some instants. */
export interface CountedStretch<Segment> extends IndexStretch<Segment> {
  readonly instants: Instants;
}

/**
 * The answers, or the rows, of stretches of prompts that are of wanted origins (null: all are), as
 * stretches of their own.
 */
export function* wantedStretches<Segment extends AnswerGroups>(
  prompts: Iterable<CountedStretch<Segment>>,
  wanted: WantedOrigins | null,
  unit: "answers" | "rows",
): Generator<CountedStretch<Segment>> {
  for (const { segment, from, to, instants } of prompts) {
    const { promptStart, origin } = segment;
    const starts = unit === "answers" ? segment.groupStart : segment.groupRow;
    const placeOf = (group: number) => starts[group] ?? 0;
    if (wanted === null) {
      const [first = 0, end = 0] = [promptStart[from], promptStart[to]];
      yield { segment, from: placeOf(first), to: placeOf(end), instants };
      continue;
    }
    for (let prompt = from; prompt < to; prompt++) {
      const end = promptStart[prompt + 1] ?? 0;
      let group = firstNotBelow(origin, wanted.first, { from: promptStart[prompt] ?? 0, to: end });
      while (group < end && (origin[group] ?? 0) <= wanted.last) {
        const runEnd = endOfRun(origin, wanted, { from: group, to: end });
        if (group < runEnd) yield { segment, from: placeOf(group), to: placeOf(runEnd), instants };
        group = runEnd + 1;
      }
    }
  }
}

interface Places {
  readonly from: number;
  readonly to: number;
}

/** The first place of a rising column whose number is not below another; the end: there is none. */
function firstNotBelow(column: Uint16Array, number: number, { from, to }: Places): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first place whose origin is not wanted. */
function endOfRun(origin: Uint16Array, { passes }: WantedOrigins, { from, to }: Places): number {
  let place = from;
  while (place < to && passes[origin[place] ?? 0] === 1) place++;
  return place;
}

/** About a millisecond. */
const answersATurn = 40_000;

/** Lets others go on; throws when nobody waits for the answer any more. */
export type Pause = () => Promise<void>;

/** How stretches are worked through. */
interface Turns<Stretch> {
  readonly pause: Pause;
  /** As many answers take as long as one of what the stretch is of. */
  readonly cost?: (stretch: Stretch) => number;
}

/** Works through stretches in turns, with a pause between two. */
export async function eachStretch<Stretch extends IndexStretch<unknown>>(
  stretches: Iterable<Stretch>,
  { pause, cost = () => 1 }: Turns<Stretch>,
  work: (stretch: Stretch) => void,
): Promise<void> {
  let left = answersATurn;
  for (const stretch of stretches) {
    const each = cost(stretch);
    for (let from = stretch.from; from < stretch.to; ) {
      const to = Math.min(stretch.to, from + Math.ceil(left / each));
      work(from === stretch.from && to === stretch.to ? stretch : { ...stretch, from, to });
      left -= (to - from) * each;
      from = to;
      if (left > 0) continue;
      left = answersATurn;
      await pause();
    }
  }
}
