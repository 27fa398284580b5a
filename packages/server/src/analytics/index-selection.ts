import { dayMs } from "./buckets.ts";
import type { Condition, PlanPart } from "./plan.ts";
import type { AnswerSegment } from "./prompt-index.ts";
import type { FilterColumn } from "./rollups.ts";

/** Instants that count, in milliseconds since 1970: [fromMs, toMs). */
export interface Instants {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Where the answers of the wanted prompts lie, and how many there are to look at. */
export interface IndexSelection<Segment extends AnswerSegment> {
  readonly stretches: readonly PromptStretch<Segment>[];
  readonly answers: number;
}

/** All answers of prompts that lie one after another. */
export interface PromptStretch<Segment extends AnswerSegment> extends IndexStretch<Segment> {
  /** The places of its prompts: [fromPrompt, toPrompt). */
  readonly fromPrompt: number;
  readonly toPrompt: number;
}

/** Answers, or what is said of them, that lie one after another: [from, to). */
export interface IndexStretch<Segment extends AnswerSegment> {
  readonly segment: Segment;
  readonly from: number;
  readonly to: number;
}

/** The answers of the prompts that the conditions want, in segments that meet the instants. */
export function selectAnswers<Segment extends AnswerSegment>(
  segments: readonly Segment[],
  conditions: readonly Condition[],
  { fromMs, toMs }: Instants,
): IndexSelection<Segment> {
  const wanted = wantedValues(conditions);
  const prompts = conditions.find(({ column }) => column === "prompt")?.values.toSorted(ascending);
  const stretches: PromptStretch<Segment>[] = [];
  let answers = 0;
  for (const segment of segments) {
    if (segment.lastMs < fromMs || segment.firstMs >= toMs) continue;
    const { topic, branded, promptStart } = segment;
    const end = (toPrompt: number) => {
      const [from, to] = [promptStart[fromPrompt] ?? 0, promptStart[toPrompt] ?? 0];
      if (from < to) stretches.push({ segment, from, to, fromPrompt, toPrompt });
      answers += to - from;
    };
    let [fromPrompt, next] = [0, 0]; // of the stretch that is being lengthened
    for (const place of placesToLookAt(segment, prompts)) {
      if (!isIn(wanted.prompt, segment.prompt[place])) continue;
      if (!isIn(wanted.topic, topic[place]) || !isIn(wanted.branded, branded[place])) continue;
      if (place !== next) {
        end(next);
        fromPrompt = place;
      }
      next = place + 1;
    }
    end(next);
  }
  return { stretches, answers };
}

const ascending = (one: number, other: number) => one - other;

/** Looking for one prompt takes about as long as looking at so many. */
const searchCost = 16;

/** The places of a segment's prompts among which the wanted ones are, in order. */
function placesToLookAt({ prompt }: AnswerSegment, prompts: readonly number[] | undefined) {
  if (prompts === undefined || prompts.length * searchCost > prompt.length) return prompt.keys();
  return prompts.flatMap((number) => {
    const place = placeOf(prompt, number);
    return prompt[place] === number ? [place] : []; // else it would be another wanted one's place
  });
}

/** The place of a number in an ascending column; where it would be when it is not there. */
function placeOf(column: Int32Array, number: number): number {
  let [low, high] = [0, column.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1 at each value that is wanted; null: all are. */
export type WantedValues = Readonly<Record<FilterColumn, Uint8Array | null>>;

/** What conditions want of each column. */
export function wantedValues(conditions: readonly Condition[]): WantedValues {
  const wanted: Record<FilterColumn, Uint8Array | null> = {
    prompt: null,
    topic: null,
    branded: null,
    provider: null,
    region: null,
  };
  for (const { column, values } of conditions) {
    const largest = values.reduce((most, value) => Math.max(most, value), 0);
    const places = new Uint8Array(largest + 1);
    for (const value of values) places[value] = 1;
    wanted[column] = places;
  }
  return wanted;
}

/** Whether a value is wanted. */
export function isIn(wanted: Uint8Array | null, value: number | undefined): boolean {
  return wanted === null || wanted[value ?? 0] === 1;
}

/** About a millisecond. */
const answersATurn = 40_000;

/** Lets others go on; throws when nobody waits for the answer any more. */
export type Pause = () => Promise<void>;

/** Works through a selection in turns, with a pause between two. */
export async function eachStretch<Segment extends AnswerSegment>(
  stretches: readonly IndexStretch<Segment>[],
  pause: Pause,
  work: (stretch: IndexStretch<Segment>) => void,
): Promise<void> {
  let left = answersATurn;
  for (const { segment, from, to } of stretches) {
    for (let start = from; start < to; ) {
      const end = Math.min(to, start + left);
      work({ segment, from: start, to: end });
      left -= end - start;
      start = end;
      if (left > 0) continue;
      left = answersATurn;
      await pause();
    }
  }
}

/** Parts lie one after another: all that they are of, from the first to the last. */
export function instantsOf(parts: readonly PlanPart[]): Instants {
  const ms = ({ by }: PlanPart, value: number) => (by === "day" ? value * dayMs : value);
  return {
    fromMs: Math.min(...parts.map((part) => ms(part, part.from))),
    toMs: Math.max(...parts.map((part) => ms(part, part.to))),
  };
}
