import { dayMs } from "./buckets.ts";
import { firstRowDay } from "./index-rows.ts";
import { answersExpected } from "./index-selection.ts";
import type { CountedStretch } from "./index-stretches.ts";
import { nearestDays, toDayEnds } from "./instants.ts";
import type { TimeSeriesPlan } from "./plan.ts";
import type { AppearanceSegment } from "./prompt-index.ts";

/** What is looked at for the sums. */
export interface IndexWork {
  /** Whose sums of days are added up, of whole days. */
  readonly byDay: readonly CountedStretch<AppearanceSegment>[];
  /** Whose rows are looked at, which say their days. */
  readonly byRow: readonly CountedStretch<AppearanceSegment>[];
  readonly byAnswer: readonly CountedStretch<AppearanceSegment>[];
  /** Whose answers are taken off again: `byDay` has them, and they do not count. */
  readonly without: readonly CountedStretch<AppearanceSegment>[];
  /** To look at so many answers takes about as long. */
  readonly answers: number;
}

/** To look at an answer takes as long as to add up so many sums of days. */
const sumsAnAnswer = 10;

/** What it takes to add up the sums of one prompt, in answers. */
export const daysCost = ({ segment, instants }: CountedStretch<AppearanceSegment>) =>
  (((instants.toMs - instants.fromMs) / dayMs) * segment.entities) / sumsAnAnswer;

/** How each of the selected stretches is looked at. */
export function indexWork(
  prompts: readonly CountedStretch<AppearanceSegment>[],
  { rows: { conditions } }: Pick<TimeSeriesPlan, "rows">,
): IndexWork {
  const isFiltered = conditions.some(({ column }) => column === "provider" || column === "region");
  const byDay: CountedStretch<AppearanceSegment>[] = [];
  const byRow: CountedStretch<AppearanceSegment>[] = [];
  const byAnswer: CountedStretch<AppearanceSegment>[] = [];
  const without: CountedStretch<AppearanceSegment>[] = [];
  for (const stretch of prompts) {
    const { segment } = stretch;
    const instants = toDayEnds(segment, stretch.instants);
    const isOfDays = instants.fromMs % dayMs === 0 && instants.toMs % dayMs === 0;
    const { days, lacking, extra } = nearestDays(instants);
    if (firstRowDay(segment) === null) {
      byAnswer.push(stretch);
    } else if (isFiltered || segment.days === null) {
      (isOfDays ? byRow : byAnswer).push(stretch);
    } else {
      if (days !== null) byDay.push({ ...stretch, instants: days });
      byAnswer.push(...lacking.map((end) => ({ ...stretch, instants: end })));
      without.push(...extra.map((end) => ({ ...stretch, instants: end })));
    }
  }
  const sums = byDay.reduce((sum, days) => sum + (days.to - days.from) * daysCost(days), 0);
  const looked = [...byRow, ...byAnswer, ...without].map(answersExpected);
  return { byDay, byRow, byAnswer, without, answers: Math.ceil(looked.reduce(added, sums)) };
}

/** What whole days lack is added, and what they have besides taken off, answer by answer. */
export function endsWork(
  byAnswer: IndexWork["byAnswer"],
  without: IndexWork["without"],
): IndexWork {
  const answers = [...byAnswer, ...without].map(answersExpected).reduce(added, 0);
  return { byDay: [], byRow: [], byAnswer, without, answers: Math.ceil(answers) };
}

const added = (one: number, other: number) => one + other;
