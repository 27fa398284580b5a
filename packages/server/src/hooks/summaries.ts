import type { InsightsSummaryRequest, InsightsSummaryResponse } from "@sightline/contract";
import { summaryQuestion } from "../facts/plan/question.ts";
import { inTurns } from "../platform/turns.ts";
import type { Facts } from "../questions/facts.ts";
import { summaryJson } from "../questions/summary/summary.ts";
import type { ComparedDays } from "./check-times.ts";

/** A time range and the range before it, as the event's body has them. */
interface ComparedRanges {
  readonly timeRange: TimeRange;
  readonly compare: { readonly timeRange: TimeRange };
}

/** Instants of a range (RFC 3339, UTC). */
export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

/** The same ranges as date-times (RFC 3339, UTC). */
export function rangesOf({ fromMs, toMs, beforeMs }: ComparedDays): ComparedRanges {
  const [before, from, to] = [beforeMs, fromMs, toMs].map((ms) => new Date(ms).toISOString());
  const range = (start = "", end = "") => ({ from: start, to: end });
  return { timeRange: range(from, to), compare: { timeRange: range(before, from) } };
}

/** What asks for summaries of an account, until a signal aborts. */
export interface Asking {
  readonly facts: Pick<Facts, "summary">;
  readonly accountId: string;
  readonly signal: AbortSignal;
}

/**
 * The summary of all answers of `days`, compared with the days before, in the shape of the reply of
 * POST /v1/insights/summary: JSON. @throws as `Facts.summary`.
 */
export function comparedSummary(asking: Asking, days: ComparedDays): Promise<string> {
  const { timeRange, compare } = rangesOf(days);
  return summaryOf(asking, { filters: { timeRange }, compare: { filters: compare } });
}

/** A summary of all answers that pass filters, by none and without portrayal: JSON. */
export async function summaryOf(
  { facts, accountId, signal }: Asking,
  request: Pick<InsightsSummaryRequest, "filters" | "entityIds" | "compare">,
): Promise<string> {
  const question = summaryQuestion({ groupBy: "none", portrayal: false, ...request });
  const found = await facts.summary(accountId, question, signal);
  const named = (groups: readonly number[]) =>
    groups.map((number) => ({ number, key: null, name: "All answers" }));
  return (await inTurns(summaryJson(question, found, named), signal)).toString("utf8");
}

/** Parses a summary that `summaryOf` wrote. */
export function parsedSummary(json: string): InsightsSummaryResponse {
  return JSON.parse(json) as InsightsSummaryResponse;
}
