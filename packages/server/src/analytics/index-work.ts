import { dayMs } from "./buckets.ts";
import { firstRowDay } from "./index-rows.ts";
import { answersExpected } from "./index-selection.ts";
import type { CountedStretch } from "./index-stretches.ts";
import { type NearestDays, nearestDays, toDayEnds } from "./instants.ts";
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

/** How each of the selected stretches is looked at; they come segment by segment. */
export function indexWork(
  prompts: readonly CountedStretch<AppearanceSegment>[],
  { rows: { conditions } }: Pick<TimeSeriesPlan, "rows">,
): IndexWork {
  const isFiltered = conditions.some(({ column }) => column === "provider" || column === "region");
  const byDay: CountedStretch<AppearanceSegment>[] = [];
  const byRow: CountedStretch<AppearanceSegment>[] = [];
  const byAnswer: CountedStretch<AppearanceSegment>[] = [];
  const without: CountedStretch<AppearanceSegment>[] = [];
  let segment: AppearanceSegment | null = null;
  let way: Way = "answers";
  for (const stretch of prompts) {
    if (stretch.segment !== segment) way = wayOf(stretch, isFiltered);
    segment = stretch.segment;
    if (way === "rows") byRow.push(stretch);
    else if (way === "answers") byAnswer.push(stretch);
    else {
      const { days, lacking, extra } = way;
      if (days !== null) byDay.push({ ...stretch, instants: days });
      for (const instants of lacking) byAnswer.push({ ...stretch, instants });
      for (const instants of extra) without.push({ ...stretch, instants });
    }
  }
  const sums = byDay.reduce((sum, days) => sum + (days.to - days.from) * daysCost(days), 0);
  const looked = [...byRow, ...byAnswer, ...without].map(answersExpected);
  return { byDay, byRow, byAnswer, without, answers: Math.ceil(looked.reduce(added, sums)) };
}

type Way = "rows" | "answers" | NearestDays;

/** How all stretches of a segment are looked at that are asked for the same instants. */
function wayOf({ segment, instants }: CountedStretch<AppearanceSegment>, isFiltered: boolean): Way {
  if (firstRowDay(segment) === null) return "answers";
  const { fromMs, toMs } = toDayEnds(segment, instants);
  if (!isFiltered && segment.days !== null) return nearestDays({ fromMs, toMs });
  return fromMs % dayMs === 0 && toMs % dayMs === 0 ? "rows" : "answers";
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
