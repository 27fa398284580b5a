import {
  type ComparedRange,
  type CoveredTime,
  comparisonOfText,
  dayMs,
  type InstantRange,
  type LinkView,
  metrics,
  periodOfText,
  periodTexts,
  rangeBefore,
  rangeFrom,
  rangeOfPeriod,
  rangeYearAgo,
  type WorkspaceResponse,
} from "@sightline/contract";
import type { ReportDates } from "../reports/asked-report.ts";
import { filterTexts } from "../reports/filter-texts.ts";

/** What a view shows today. */
export interface ShownView {
  readonly range: InstantRange;
  /** What it is compared with, or why it cannot be; null: with nothing. */
  readonly compared: ComparedRange | null;
}

/** The ranges of a view, by the account's answers and the time. */
export function shownView(
  { period, compare = "previous" }: LinkView,
  covered: CoveredTime,
  nowMs: number,
): ShownView {
  const range = rangeOfText(period, covered, nowMs);
  return { range, compared: comparedWith(compare, range) };
}

function rangeOfText(text: string, covered: CoveredTime, nowMs: number): InstantRange {
  const period = periodOfText(text);
  if (period === null) throw new Error(`a stored view has the period ${text}`);
  if (typeof period === "string") return rangeOfPeriod(period, covered, nowMs);
  return { fromMs: dateMs(period.first), toMs: dateMs(period.last) + dayMs };
}

function comparedWith(text: string, range: InstantRange): ComparedRange | null {
  const comparison = comparisonOfText(text);
  switch (comparison) {
    case "none":
    case null:
      return null;
    case "previous":
      return rangeBefore(range);
    case "year-ago":
      return rangeYearAgo(range);
    default:
      return rangeFrom(comparison, range);
  }
}

/** The filters of a question over a range, as the service takes them. */
export function questionFilters({ filters = {} }: LinkView, { fromMs, toMs }: InstantRange) {
  const timeRange = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
  return { ...filters, timeRange };
}

/** A view's days and filters in words. */
export function viewSentences(
  { period, filters = {}, exclude }: LinkView,
  { range }: ShownView,
  workspace: Pick<WorkspaceResponse, "topics">,
): readonly string[] {
  const name = periodOfText(period);
  const dates = datesOf(range);
  const given = exclude === undefined ? filters : { ...filters, exclude };
  return [
    typeof name === "string" ? `${periodTexts[name]}: ${dates} (UTC).` : `${dates} (UTC).`,
    ...filterTexts(given, workspace, "en").map((text) => `${text}.`),
  ];
}

/** The first and the last day of a range, both inside. */
export function daysOf({ fromMs, toMs }: InstantRange): ReportDates {
  const date = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  return { startDate: date(fromMs), endDate: date(toMs - 1) };
}

function datesOf(range: InstantRange): string {
  const { startDate, endDate } = daysOf(range);
  return startDate === endDate ? startDate : `${startDate} to ${endDate}`;
}

/** The metric whose course a view shows. */
export function metricOf({ metric = "mentions" }: LinkView) {
  return { name: metric, ...metrics[metric] };
}

function dateMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}
