import type { InsightsSeriesResponse, Interval } from "@sightline/client";
import type { ViewFilters } from "../../data/filters.ts";
import type { DrawnMetric } from "../../data/names.ts";
import { dayMs } from "../../data/period.ts";
import { type MetricSeries, type Reply, useSeries } from "../../data/queries.ts";
import type { ViewQuestion } from "../../data/use-question.ts";

/** Fewer answers tell a day from the next by chance alone. */
const dayAnswersMin = 30;
/** A period that is shorter has too few weeks for a course. */
const weeksDaysMin = 21;

/** A series in buckets that suit its answers, and how it is drawn. */
interface SuitedSeries {
  readonly reply: Reply<MetricSeries>;
  readonly interval: Interval;
  /** Its buckets have too few answers for a line. */
  readonly isThin: boolean;
}

/**
 * The series of a metric or a flag. Unless the view says otherwise, it is by days only where the
 * median day has enough answers.
 */
export function useSuitedSeries(
  { view, interval, range }: ViewQuestion,
  filters: ViewFilters,
  metric: DrawnMetric,
): SuitedSeries {
  const given = useSeries({ metric, interval, filters });
  const isThin =
    given.data !== undefined &&
    !given.isPlaceholderData &&
    given.data.interval === "daily" &&
    hasThinDays(given.data);
  const isLong = range.toMs - range.fromMs >= weeksDaysMin * dayMs;
  const isByWeeks = isThin && isLong && view.interval === null;
  const weeks = useSeries(isByWeeks ? { metric, interval: "weekly", filters } : null);
  if (isByWeeks) return { reply: weeks, interval: "weekly", isThin: false };
  return { reply: given, interval, isThin };
}

/** Whether the median bucket with answers has few of them; of a rank, few that mention anybody. */
export function hasThinDays({ series }: Pick<InsightsSeriesResponse, "series">): boolean {
  const counts = (series[0]?.data ?? [])
    .filter(({ empty }) => !empty)
    .map(({ denominator }) => denominator)
    .toSorted((a, b) => a - b);
  const median = counts[Math.floor((counts.length - 1) / 2)];
  return median !== undefined && median < dayAnswersMin;
}
