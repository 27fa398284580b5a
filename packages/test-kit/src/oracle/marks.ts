import { providers as providersInOrder } from "@sightline/contract/providers";
import { startOfBucket, startOfDay } from "./calendar.ts";
import type { OracleAccount, Range, SeriesQuestion } from "./model.ts";
import { answersThatCount, expectedCounts, type Reading, read } from "./oracle.ts";
import type { SaidName } from "./said.ts";

const dayMs = 86_400_000;
const weekMs = 7 * dayMs;

/**
 * What POST /v1/insights/series has to reply to a question that includes marks; null when it has to
 * refuse it.
 */
export function expectedMarks(
  account: OracleAccount,
  question: SeriesQuestion,
  said: SaidName | null,
): object | null {
  const counts = expectedCounts(account, question, said);
  if (counts === null) return null;
  const { filters } = question.body;
  const everywhere = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY };
  const all = answersThatCount(account, { timeRange: filters.timeRange }, everywhere);
  const lastMs = Math.max(...all.map(({ at }) => at));
  const readings = answersThatCount(account, filters, question).map((answer) => {
    return read(answer, account.workspace);
  });
  return { ...counts, marks: marksIn(readings, { ...question, lastMs }) };
}

/** The marks of a series: week by week, each looked at against all that came before it. */
function marksIn(
  readings: readonly Reading[],
  { fromMs, toMs, lastMs }: Range & { readonly lastMs: number },
): readonly object[] {
  const mondayOf = ({ at }: Reading) => startOfBucket(at, "weekly");
  const mondays = [...new Set(readings.map(mondayOf))].sort((one, other) => one - other);
  let firstWhole = startOfBucket(fromMs, "weekly");
  if (firstWhole < fromMs) firstWhole += weekMs;
  const countsFrom = Math.max(firstWhole, mondays[0] ?? 0);
  const idsOf = (those: readonly Reading[]) => new Set(those.map(({ promptId }) => promptId));
  return mondays.flatMap((monday, place) => {
    const within = readings.filter((reading) => mondayOf(reading) === monday);
    const earlier = readings.filter((reading) => mondayOf(reading) < monday);
    const later = readings.filter((reading) => mondayOf(reading) >= monday);
    const providers = providersInOrder.filter((provider) => {
      const own = (reading: Reading) => reading.provider === provider;
      return (["model", "surface"] as const).some((kind) =>
        isOther(within.filter(own), earlier.filter(own), kind),
      );
    });
    const added = [...idsOf(within)].filter((id) => !idsOf(earlier).has(id)).length;
    const before = readings.filter((reading) => mondayOf(reading) === mondays[place - 1]);
    const removed = [...idsOf(before)].filter((id) => !idsOf(later).has(id)).length;
    const isOver = monday + weekMs <= Math.min(toMs, startOfDay(lastMs) + dayMs);
    const counts = { added: monday > countsFrom ? added : 0, removed: isOver ? removed : 0 };
    const timestamp = new Date(monday).toISOString();
    return [
      ...(providers.length === 0
        ? []
        : [{ timestamp, kind: "models", providers, added: 0, removed: 0 }]),
      ...(counts.added + counts.removed === 0
        ? []
        : [{ timestamp, kind: "prompts", providers: [], ...counts }]),
    ];
  });
}

/** Whether the kinds of a week have other shares than in the last week before that had any. */
function isOther(
  within: readonly Reading[],
  earlier: readonly Reading[],
  kind: "model" | "surface",
): boolean {
  const known = earlier.filter((reading) => reading[kind] !== null);
  const lastMonday = Math.max(...known.map(({ at }) => startOfBucket(at, "weekly")));
  const before = known.filter(({ at }) => at >= lastMonday).map((reading) => reading[kind]);
  const after = within.map((reading) => reading[kind]).filter((name) => name !== null);
  if (before.length === 0 || after.length === 0) return false;
  const share = (names: readonly unknown[], name: unknown) =>
    names.filter((each) => each === name).length / names.length;
  const names = new Set([...before, ...after]);
  const differences = [...names].map((name) => Math.abs(share(after, name) - share(before, name)));
  return differences.reduce((sum, each) => sum + each, 0) / 2 >= 0.2 - 1e-9;
}
