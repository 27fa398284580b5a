import { markedVariationMin, type SeriesMark } from "@sightline/contract";
import { providersOf } from "../facts/codes.ts";
import { dayMs, dayOf, mondayOf, weekOf } from "../facts/plan/buckets.ts";
import type { Origin, PromptSums } from "../facts/plan/insight-plans.ts";
import type { Selection } from "../facts/plan/question.ts";
import { variationBetween } from "./discontinuity.ts";
import { answersAlone, type Reading, readOrigins, readSums } from "./reading.ts";

/** What the facts say of each week of a range. */
interface WeeksFacts {
  readonly origins: readonly Pick<Origin, "provider" | "model" | "surface" | "week" | "answers">[];
  /** A row for each week in which a prompt has answers, or more. */
  readonly prompts: readonly Pick<PromptSums, "prompt" | "week">[];
}

/** The range, and where the account's answers end. */
interface Within extends Pick<Selection, "fromMs" | "toMs"> {
  /** When the account's last answer was given; null: there is none. */
  readonly lastMs: number | null;
}

/**
 * Reads in which weeks of a selection models or prompts changed.
 * @throws ServiceError invalid_request when too many prompts have answers in too many weeks.
 */
export async function readMarks(
  reading: Reading,
  selection: Selection,
  lastMs: number | null,
): Promise<readonly SeriesMark[]> {
  const origins = await readOrigins(reading, selection, { groupBy: null, byWeek: true });
  const prompts = await readSums(reading, selection, { ...answersAlone, byWeek: true });
  const { fromMs, toMs } = selection;
  return marksOf({ origins, prompts }, { fromMs, toMs, lastMs });
}

/** The weeks in which models or prompts changed, in the order of time. */
export function marksOf({ origins, prompts }: WeeksFacts, within: Within): readonly SeriesMark[] {
  const marks = [...modelMarks(origins), ...promptMarks(prompts, within)];
  // Sorting is stable: models come before the prompts of their week.
  return marks
    .toSorted((one, other) => one.week - other.week)
    .map(({ week, ...mark }) => ({
      timestamp: new Date(mondayOf(week) * dayMs).toISOString(),
      ...mark,
    }));
}

interface WeekMark extends Omit<SeriesMark, "timestamp"> {
  readonly week: number;
}

/** Weeks in which providers answered by other models, or on other surfaces. */
function modelMarks(origins: WeeksFacts["origins"]): readonly WeekMark[] {
  const found = new Map<number, Set<number>>();
  for (const [provider, own] of Map.groupBy(origins, (each) => each.provider)) {
    const weeks = [
      ...changedWeeks(own, ({ model }) => model),
      ...changedWeeks(own, ({ surface }) => surface),
    ];
    for (const week of weeks) found.set(week, (found.get(week) ?? new Set()).add(provider));
  }
  return [...found].map(([week, providers]) => {
    return { week, kind: "models", providers: [...providersOf(providers)], added: 0, removed: 0 };
  });
}

/** Shares are quotients, whose differences are some 1e-17 off. */
const rounding = 1e-12;

/** Weeks of which enough is known to differ from the week before that something is known of. */
function changedWeeks(
  origins: WeeksFacts["origins"],
  kindOf: (origin: WeeksFacts["origins"][number]) => number,
): readonly number[] {
  const known = origins.filter((origin) => kindOf(origin) !== 0);
  const weeks = [...Map.groupBy(known, ({ week }) => week)].toSorted(([a], [b]) => a - b);
  return weeks.flatMap(([week, own], place) => {
    const [, before] = weeks[place - 1] ?? [];
    if (before === undefined) return [];
    const variation = variationBetween(before, own, kindOf);
    return variation >= markedVariationMin - rounding ? [week] : [];
  });
}

/**
 * Weeks in which prompts were answered for the first time, or, after weeks with answers, no more.
 * Where the range, or the last answer, cuts a week, prompts may be missing only because of that.
 */
function promptMarks(
  rows: WeeksFacts["prompts"],
  { fromMs, toMs, lastMs }: Within,
): readonly WeekMark[] {
  const weeks = [...new Set(rows.map(({ week }) => week))].toSorted((a, b) => a - b);
  const [firstWeek] = weeks;
  if (firstWeek === undefined || lastMs === null) return [];
  const firstWhole = weekOf(Math.ceil(fromMs / dayMs) + 6);
  const known = Math.max(firstWeek, firstWhole);
  const endWhole = weekOf(Math.min(Math.floor(toMs / dayMs), dayOf(lastMs) + 1));
  const added = new Map<number, number>();
  const removed = new Map<number, number>();
  for (const own of Map.groupBy(rows, ({ prompt }) => prompt).values()) {
    const [first, last] = endsOf(own);
    if (first > known) added.set(first, (added.get(first) ?? 0) + 1);
    const next = weeks.find((week) => week > last);
    if (next !== undefined && next < endWhole) removed.set(next, (removed.get(next) ?? 0) + 1);
  }
  return weeks
    .map((week): WeekMark => {
      const [more = 0, fewer = 0] = [added.get(week), removed.get(week)];
      return { week, kind: "prompts", providers: [], added: more, removed: fewer };
    })
    .filter((mark) => mark.added + mark.removed > 0);
}

function endsOf(rows: WeeksFacts["prompts"]): readonly [first: number, last: number] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { week } of rows) {
    first = Math.min(first, week);
    last = Math.max(last, week);
  }
  return [first, last];
}
