import type { InsightsSummaryResponse } from "@sightline/contract";
import { summaryQuestion } from "../facts/plan/question.ts";
import { inTurns } from "../platform/turns.ts";
import type { Facts } from "../questions/facts.ts";
import { summaryJson } from "../questions/summary/summary.ts";
import type { ComparedDays } from "./check-times.ts";

/** Days and those before, as bodies name them. */
export interface ComparedRanges {
  readonly timeRange: TimeRange;
  readonly compare: { readonly timeRange: TimeRange };
}

interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The ranges of days, as date-times. */
export function rangesOf({ fromMs, toMs, beforeMs }: ComparedDays): ComparedRanges {
  const [before, from, to] = [beforeMs, fromMs, toMs].map((ms) => new Date(ms).toISOString());
  const range = (start = "", end = "") => ({ from: start, to: end });
  return { timeRange: range(from, to), compare: { timeRange: range(before, from) } };
}

/**
 * The summary of all answers of some days against the days before, as POST /v1/insights/summary
 * replies: JSON. @throws as `Facts.summary`.
 */
export async function comparedSummary(
  facts: Pick<Facts, "summary">,
  accountId: string,
  { days, signal }: { readonly days: ComparedDays; readonly signal: AbortSignal },
): Promise<string> {
  const { timeRange, compare } = rangesOf(days);
  const question = summaryQuestion({
    groupBy: "none",
    filters: { timeRange },
    compare: { filters: compare },
  });
  const found = await facts.summary(accountId, question, signal);
  const named = (groups: readonly number[]) =>
    groups.map((number) => ({ number, key: null, name: "All answers" }));
  return (await inTurns(summaryJson(question, found, named), signal)).toString("utf8");
}

/** A summary that was written. */
export function parsedSummary(json: string): InsightsSummaryResponse {
  return JSON.parse(json) as InsightsSummaryResponse;
}
