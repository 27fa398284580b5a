import type { InsightsSeriesResponse, TimeSeriesResponse } from "@sightline/contract";

/** Values of one series, a day each; null: nothing was measured. */
export type Days = readonly (number | null)[];

/** A reply of days from 2026-01-01 on, as the service would send it. */
export function dailyReply(series: Readonly<Record<string, Days>>): TimeSeriesResponse {
  const day = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString();
  const longest = Object.values(series).reduce((most, { length }) => Math.max(most, length), 0);
  return {
    interval: "daily",
    timeRange: { from: day(0), to: day(longest) },
    series: Object.entries(series).map(([name, values], number) => ({
      id: `00000000-0000-4000-8000-00000000000${number}`,
      name,
      data: values.map((value, index) => ({ timestamp: day(index), value })),
    })),
  };
}

/** The same with counts; of each day's answers there are as many as `answers` says of it, or 40. */
export function countedReply(
  reply: TimeSeriesResponse,
  answers: readonly number[] = [],
): InsightsSeriesResponse {
  const series = reply.series.map(({ data, ...entity }) => ({
    ...entity,
    data: data.map(({ timestamp, value }, day) => {
      const denominator = value === null ? 0 : (answers[day] ?? 40);
      const numerator = Math.round((value ?? 0) * denominator);
      const empty = value === null;
      return {
        timestamp,
        value,
        numerator,
        denominator,
        interval: null,
        empty,
        covered: 1,
        days: 1,
      };
    }),
  }));
  return { ...reply, series };
}
