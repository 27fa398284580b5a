/**
 * The four time series, each with its path, the unit of a point's value and what null means.
 * docs/metrics/<name>.md explains each.
 */
export const metrics = {
  mentions: {
    path: "/v1/analytics/brands/mentions",
    title: "Mentions",
    unit: "fraction",
    summary: "How often the brand and each competitor are mentioned",
    value: "Answers that mention it / all answers, from 0 to 1. Null: no answer in the bucket.",
  },
  "overall-visibility": {
    path: "/v1/analytics/brands/overall-visibility",
    title: "Overall visibility",
    unit: "fraction",
    summary: "How often the brand and each competitor are visible: mentioned or cited",
    value: "Answers that mention or cite it / all answers, 0 to 1. Null: no answer in the bucket.",
  },
  citations: {
    path: "/v1/analytics/brands/citations",
    title: "Citations",
    unit: "fraction",
    summary: "How often the brand and each competitor are cited",
    value: "Answers that cite its domains / all answers, 0 to 1. Null: no answer in the bucket.",
  },
  rank: {
    path: "/v1/analytics/brands/rank",
    title: "Rank",
    unit: "place",
    summary: "The mean place of the brand and each competitor in the order of first mention",
    value: "Mean rank over the answers that mention it; 1 is first. Null: none mentions it.",
  },
} as const satisfies Record<string, MetricDescription>;

/** The properties of a metric that clients need. */
export interface MetricDescription {
  readonly path: string;
  /** A short name, for example for a side bar. */
  readonly title: string;
  /** `fraction`: 0 to 1, more is better. `place`: from 1, less is better. */
  readonly unit: "fraction" | "place";
  readonly summary: string;
  readonly value: string;
}

/** The name of one of the four time series. */
export type MetricName = keyof typeof metrics;

/** The names of the four time series, in the interface's order. */
export const metricNames = Object.keys(metrics) as readonly MetricName[];
