import {
  contributionsMax,
  dayMs,
  type Interval,
  metricNames,
  pageSourcesMax,
  summaryEntriesMax,
} from "@sightline/contract";
import { inSeriesOrder, type Workspace } from "../../accounts/workspace.ts";

/** A question, as a client sends it. */
export interface BoardQuestion {
  readonly path: string;
  readonly body: object;
}

/** A range as questions have it. */
export interface FrozenRange {
  readonly from: string;
  readonly to: string;
}

/** The addresses that an archive may ask. */
export const boardPaths: readonly string[] = [
  ...["/v1/insights/series", "/v1/insights/summary", "/v1/insights/sources"],
  "/v1/insights/changes",
];

/** The questions of the account's board, by name: what the console's first pages show. */
export function boardQuestions(
  workspace: Workspace,
  timeRange: FrozenRange,
  compared: FrozenRange,
): ReadonlyMap<string, BoardQuestion> {
  const filters = { timeRange };
  const compare = { filters: { timeRange: compared } };
  const entities = inSeriesOrder(workspace.entities).map(({ id }) => id);
  const questions = new Map<string, BoardQuestion>();
  for (const metric of metricNames) {
    const body = { metric, interval: intervalOf(timeRange), filters };
    questions.set(metric, { path: "/v1/insights/series", body });
  }
  for (const groupBy of ["none", "prompt", "provider", "topic"] as const) {
    const groups = { none: 1, provider: 20, ...countsOf(workspace) }[groupBy];
    const entityIds = entities.slice(0, Math.max(1, Math.floor(summaryEntriesMax / groups)));
    // What the rules for words find cannot be checked by a script that does not have them.
    const body = { groupBy, portrayal: false, filters, compare, entityIds };
    questions.set(`summary-by-${groupBy}`, { path: "/v1/insights/summary", body });
  }
  for (const groupBy of ["domain", "url"] as const) {
    const body = { groupBy, limit: pageSourcesMax, offset: 0, filters, compare };
    questions.set(`sources-by-${groupBy}`, { path: "/v1/insights/sources", body });
  }
  for (const by of ["prompt", "provider"] as const) {
    const of = { entityId: entities[0], metric: "mentions", by, limit: contributionsMax };
    const body = { ...of, filters, compare };
    questions.set(`changes-by-${by}`, { path: "/v1/insights/changes", body });
  }
  return questions;
}

/** A group more is that of prompts without a topic. */
function countsOf({ prompts, topics }: Workspace) {
  return { prompt: Math.max(1, prompts.length), topic: topics.length + 1 };
}

/** As the console chooses it: days to seven weeks, weeks to fourteen months. */
function intervalOf({ from, to }: FrozenRange): Interval {
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days <= 49) return "daily";
  return days <= 430 ? "weekly" : "monthly";
}
