import {
  dayMs,
  type InsightsSummaryResponse,
  type MovedEvent,
  summaryMetricNames,
} from "@sightline/contract";
import type { LastNotified } from "./hook-store.ts";

type MovedMetric = MovedEvent["data"]["metrics"][number];

/** What moved and is not lastNotified yet. */
export interface Moves {
  /** Null: there is nothing to tell. */
  readonly news: Pick<MovedEvent["data"], "entity" | "metrics" | "tests"> | null;
  /** What is lastNotified, with the news. */
  readonly lastNotified: LastNotified;
}

/** So long, the compared days share some with those of a move: it would be lastNotified again. */
const sameMoveMs = 14 * dayMs;

/**
 * The brand's values that moved, by a summary that compares days until `toMs`. A move that is seen
 * again, in the same direction and over days that were compared before, is left out.
 */
export function movesOf(
  summary: InsightsSummaryResponse,
  lastNotified: LastNotified,
  toMs: number,
): Moves {
  const [brand] = summary.groups[0]?.entities ?? [];
  if (brand === undefined) return { news: null, lastNotified };
  const metrics: MovedMetric[] = [];
  let all = lastNotified;
  for (const metric of summaryMetricNames) {
    const value = brand[metric];
    if (value.change?.verdict !== "moved") continue;
    const direction = (value.change.value ?? 0) > 0 ? "up" : "down";
    const last = lastNotified[metric];
    if (last?.direction === direction && toMs - last.to < sameMoveMs) continue;
    metrics.push({ metric, ...value });
    all = { ...all, [metric]: { direction, to: toMs } };
  }
  if (metrics.length === 0) return { news: null, lastNotified };
  const { id, name } = brand;
  return { news: { entity: { id, name }, metrics, tests: summary.tests }, lastNotified: all };
}
