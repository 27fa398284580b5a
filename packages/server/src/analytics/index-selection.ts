import { dayMs } from "./buckets.ts";
import type { AnswerSegment } from "./index-answers.ts";
import type { IndexStretch } from "./index-stretches.ts";
import type { Condition, PlanPart } from "./plan.ts";
import type { FilterColumn } from "./rollups.ts";

/** Instants that count, in milliseconds since 1970: [fromMs, toMs). */
export interface Instants {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether all answers of a segment count. */
export function isWithin({ firstMs, lastMs }: AnswerSegment, { fromMs, toMs }: Instants): boolean {
  return firstMs >= fromMs && lastMs < toMs;
}

/** Where the wanted prompts lie, and how many answers they have. */
export interface IndexSelection<Segment extends AnswerSegment> {
  /** Of prompts: their places. */
  readonly stretches: readonly IndexStretch<Segment>[];
  readonly answers: number;
}

/** What filters look at of each prompt, by its number. */
export interface PromptTraits {
  readonly topic: Int32Array;
  readonly branded: Uint8Array;
}

/** The numbers, rising, of the prompts that the conditions let pass; null: of all. */
export function wantedPrompts(
  conditions: readonly Condition[],
  { topic, branded }: PromptTraits,
): readonly number[] | null {
  const valuesOf = (wanted: FilterColumn) =>
    conditions.find(({ column }) => column === wanted)?.values;
  const [prompts, topics, brandings] = [valuesOf("prompt"), valuesOf("topic"), valuesOf("branded")];
  if (prompts === undefined && topics === undefined && brandings === undefined) return null;
  const isTopicIn = new Set(topics);
  const passes = (prompt: number) =>
    (topics === undefined || isTopicIn.has(topic[prompt] ?? 0)) &&
    (brandings === undefined || brandings.includes(branded[prompt] ?? 0));
  if (prompts !== undefined) return prompts.filter(passes).toSorted(ascending);
  const passing: number[] = [];
  for (let prompt = 0; prompt < topic.length; prompt++) if (passes(prompt)) passing.push(prompt);
  return passing;
}

const ascending = (one: number, other: number) => one - other;

/** The prompts with these rising numbers, in segments that meet the instants. */
export function selectAnswers<Segment extends AnswerSegment>(
  segments: readonly Segment[],
  prompts: readonly number[] | null,
  { fromMs, toMs }: Instants,
): IndexSelection<Segment> {
  const stretches: IndexStretch<Segment>[] = [];
  let answers = 0;
  for (const segment of segments) {
    if (segment.lastMs < fromMs || segment.firstMs >= toMs) continue;
    const { prompt } = segment;
    const end = (to: number) => {
      if (from < to) stretches.push({ segment, from, to });
      answers += answersOf(segment, from, to);
    };
    let [from, next] = [0, 0]; // of the stretch that is being lengthened
    if (prompts === null) end(prompt.length);
    for (const number of prompts ?? []) {
      const place = placeOf(prompt, number, next);
      if (prompt[place] !== number) continue;
      if (place !== next) {
        end(next);
        from = place;
      }
      next = place + 1;
    }
    end(next);
  }
  return { stretches, answers };
}

/**
 * The place of a number in a column that rises, from `from` on; where it would be when it is not
 * there. As many places as numbers lie between two, at most: where none is left out, nothing is
 * searched.
 */
function placeOf(column: Int32Array, number: number, from: number): number {
  const last = column.length - 1;
  const left = (column[last] ?? 0) - number; // numbers after it
  let low = Math.max(from, last - left);
  let high = Math.min(column.length, from + Math.max(0, number - (column[from] ?? number)));
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many answers the prompts at [from, to) have. */
export function answersOf(segment: AnswerSegment, from: number, to: number): number {
  const { promptStart, groupStart } = segment;
  return (groupStart[promptStart[to] ?? 0] ?? 0) - (groupStart[promptStart[from] ?? 0] ?? 0);
}

/** Parts lie one after another: all that they are of, from the first to the last. */
export function instantsOf(parts: readonly PlanPart[]): Instants {
  const ms = ({ by }: PlanPart, value: number) => (by === "day" ? value * dayMs : value);
  return {
    fromMs: Math.min(...parts.map((part) => ms(part, part.from))),
    toMs: Math.max(...parts.map((part) => ms(part, part.to))),
  };
}
