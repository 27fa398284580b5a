import type { WorkspaceResponse } from "@sightline/contract";
import { dateText, type Period } from "./period.ts";
import type { ToolContext } from "./tool.ts";

/** Which answers exist. */
export type Answers = WorkspaceResponse["answers"];

/** A bucket's start and the values of all entities in it. */
export interface MeasuredBucket {
  /** Milliseconds since 1970. */
  readonly startMs: number;
  readonly isEmpty: boolean;
}

/** The buckets to show: from `first` on, before `end`. */
export interface ShownBuckets {
  readonly first: number;
  readonly end: number;
  /** The time that answers cover; empty when the period does not extend beyond it. */
  readonly notes: readonly string[];
}

/**
 * Removes the empty buckets before the first answer and after the last. Empty buckets between
 * answers stay. Requests the covered time when an outer bucket is empty.
 */
export async function withinAnswers(
  ask: () => Promise<Answers>,
  buckets: readonly MeasuredBucket[],
  period: Period,
): Promise<ShownBuckets> {
  const all = { first: 0, end: buckets.length, notes: [] };
  if (!buckets.at(0)?.isEmpty && !buckets.at(-1)?.isEmpty) return all;
  const answers = await ask();
  const [firstMs, lastMs] = instantsOf(answers);
  let { first, end } = all;
  while (end > 0 && buckets[end - 1]?.isEmpty && (buckets[end - 1]?.startMs ?? 0) > lastMs) end--;
  // A bucket ends where the next one starts.
  while (first < end && buckets[first]?.isEmpty) {
    const endMs = buckets[first + 1]?.startMs ?? period.toMs;
    if (endMs > firstMs) break;
    first++;
  }
  return { first, end, notes: beyondNotes(answers, period) };
}

/** The time that the account's answers cover; costs one call. */
export async function answersOf({ sightline, signal }: ToolContext): Promise<Answers> {
  return (await sightline.workspace({ signal })).answers;
}

/** States which time answers cover, when a period has days before the first or after the last. */
export function beyondNotes(answers: Answers, { fromMs, toMs }: Period): readonly string[] {
  if (answers.first === null || answers.last === null) return ["There are no answers yet."];
  const [from, to] = instantsOf(answers).map(dateText);
  if (from === undefined || to === undefined) return [];
  if (dateText(fromMs) >= from && dateText(toMs - 1) <= to) return [];
  return [`Answers exist from ${from} to ${to}, and at no other time.`];
}

function instantsOf({ first, last }: Answers): readonly [firstMs: number, lastMs: number] {
  if (first === null || last === null) return [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return [Date.parse(first), Date.parse(last)];
}

/** A gist, followed by the sentences about the covered time. */
export function gistWithNotes(gist: string, notes: readonly string[]): string {
  return [/[.?!]$/.test(gist) || gist === "" ? gist : `${gist}.`, ...notes]
    .filter((sentence) => sentence !== "")
    .join(" ");
}
