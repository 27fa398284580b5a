import { dayMs, type Workload } from "./generator/workload.ts";
import type { Filter, Question, SeriesQuestion, SourcesQuestion } from "./questions.ts";

/** Days that a board shows; the first is what a board opens with. */
export const boardDays = [90, 365] as const;

/** More days than this are shown by week. */
const dailyDaysMax = 90;
const rankedSources = 10;
const topic: Filter = { topics: [3] };

/** The eight panels of a board over the last days of a workload. A browser asks them together. */
export function boardOf({ toMs }: Workload, days: number): readonly Question[] {
  const range = { days, fromMs: toMs - days * dayMs, toMs };
  const interval = days > dailyDaysMax ? "weekly" : "daily";
  const series = (metric: SeriesQuestion["metric"], name = "", filter: Filter = {}): Question => ({
    kind: "series",
    name: `${metric} ${interval}${name}`,
    metric,
    interval,
    filter,
    ...range,
  });
  const sources = (groupBy: SourcesQuestion["groupBy"]): Question => ({
    kind: "sources",
    name: `sources by ${groupBy}`,
    groupBy,
    limit: rankedSources,
    offset: 0,
    filter: {},
    ...range,
  });
  return [
    series("mentions"),
    series("overall-visibility"),
    series("citations"),
    series("rank"),
    series("mentions", " topic", topic),
    series("mentions", " topic+provider", { ...topic, providers: ["OPENAI"] }),
    sources("domain"),
    sources("url"),
  ];
}
