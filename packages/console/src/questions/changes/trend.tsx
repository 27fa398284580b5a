import type { MetricName } from "@sightline/client";
import { trendText } from "@sightline/contract/insight-sentences";
import { metricTexts } from "../../data/names.ts";
import { trendWeeksMin, wholeWeeksIn } from "../../data/period.ts";
import { useSummary } from "../../data/queries.ts";
import { useViewQuestion } from "../../data/use-question.ts";

interface TrendProps {
  readonly metric: MetricName;
  readonly entityId: string;
}

/** How a value rises or falls over the weeks of the period; of a shorter one nothing is said. */
export function Trend({ metric, entityId }: TrendProps) {
  const question = useViewQuestion();
  const isLong = question !== null && wholeWeeksIn(question.range) >= trendWeeksMin;
  // All entities are asked for, as the page does for changes: each p is adjusted among the same.
  const { data, error, isPlaceholderData } = useSummary(
    isLong ? { groupBy: "none", filters: question.filters, include: ["trend"] } : null,
  );
  if (!isLong) return null;
  if (error !== null) return <p>The trend could not be loaded.</p>;
  if (data === undefined || isPlaceholderData) return <p aria-busy="true">Trend: loading</p>;
  const { field } = metricTexts[metric];
  const value = data.groups[0]?.entities.find(({ id }) => id === entityId)?.[field];
  return value?.trend === undefined ? null : <p>Trend: {trendText(field, value.trend)}.</p>;
}
