import type { MetricName } from "@sightline/contract";

/**
 * What is summed over the facts. For an entity in an answer: 1 when it is mentioned, cited,
 * visible, else 0; its rank, or 0 when it is not mentioned. The answer itself counts as an entity
 * (number 0) that every answer mentions, cites and shows: its sums are the rates' denominators.
 */
export type Measure = "mentioned" | "cited" | "visible" | "rank";

/** A metric is data: what is summed, and by what it is divided. */
export interface MetricDefinition {
  readonly numerator: Measure;
  /** `answers`: all answers of the bucket. `mentions`: the entity's own mentions in it. */
  readonly per: "answers" | "mentions";
}

/** The four metrics (semantics, Metrics). Each stands here and nowhere else. */
export const metricDefinitions: Readonly<Record<MetricName, MetricDefinition>> = {
  mentions: { numerator: "mentioned", per: "answers" },
  "overall-visibility": { numerator: "visible", per: "answers" },
  citations: { numerator: "cited", per: "answers" },
  rank: { numerator: "rank", per: "mentions" },
};

/** The sums that a metric needs, in the order in which rows carry them. */
export function measuresOf(definition: MetricDefinition): readonly Measure[] {
  return definition.per === "answers"
    ? [definition.numerator]
    : [definition.numerator, "mentioned"];
}
