import type { AnswerSegment } from "./index-answers.ts";
import type { CountedStretch } from "./index-stretches.ts";
import type { Instants } from "./instants.ts";
import type { Condition } from "./plan.ts";
import type { FilterColumn } from "./rollups.ts";

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

/** The prompts with these rising numbers (null: all), in segments that meet the instants. */
export function selectPrompts<Segment extends AnswerSegment>(
  segments: readonly Segment[],
  prompts: readonly number[] | null,
  instants: Instants,
): readonly CountedStretch<Segment>[] {
  const stretches: CountedStretch<Segment>[] = [];
  for (const segment of segments) {
    if (segment.lastMs < instants.fromMs || segment.firstMs >= instants.toMs) continue;
    const { prompt } = segment;
    const end = (to: number) => {
      if (from < to) stretches.push({ segment, from, to, instants });
    };
    let [from, next] = [0, 0]; // of the stretch that is being lengthened
    if (prompts === null) end(prompt.length);
    for (const number of prompts ?? []) {
      const place = placeOf(prompt, number, next);
      if (place < 0) continue;
      if (place !== next) {
        end(next);
        from = place;
      }
      next = place + 1;
    }
    end(next);
  }
  return stretches;
}

/** The place of a number in a column that rises, from `from` on; -1: it is not there. */
function placeOf(column: Int32Array, number: number, from: number): number {
  let [low, high] = [from, column.length];
  const [first = 0, last = 0] = [column[0], column[high - 1]];
  if (number < first || number > last) return -1;
  if (last - first === high - 1) return number - first; // none is left out
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return column[low] === number ? low : -1;
}

/** As many answers take as long to be passed over, being of another time, as one that counts. */
const passedAnAnswer = 8;

/**
 * How many answers have to be looked at: about as many of the prompts' answers as the share of the
 * segment's time that counts, and the others, which are passed over.
 */
export function answersExpected(stretch: CountedStretch<AnswerSegment>): number {
  const { segment, instants, from, to } = stretch;
  const { promptStart, groupStart, firstMs, lastMs } = segment;
  const answers =
    (groupStart[promptStart[to] ?? 0] ?? 0) - (groupStart[promptStart[from] ?? 0] ?? 0);
  const countsMs = Math.min(lastMs + 1, instants.toMs) - Math.max(firstMs, instants.fromMs);
  const share = countsMs / (lastMs + 1 - firstMs);
  return answers * (share + (1 - share) / passedAnAnswer);
}
