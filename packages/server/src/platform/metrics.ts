import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * The service's own measurements, for Prometheus. Each is explained in docs/guide/operations.md.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"route" | "method" | "status">;
  readonly queries: Histogram<"question">;
  readonly answersProjected: Counter;
  readonly projectionLag: Gauge;
  readonly factsRebuilds: Counter<"reason">;
}

const requestBucketsSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** A fresh registry with the service's metrics and Node's own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "sightline_" });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "sightline_http_request_seconds",
      help: "Time from a request's head to its reply, by route, method and status.",
      labelNames: ["route", "method", "status"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    queries: new Histogram({
      name: "sightline_facts_query_seconds",
      help: "Time of a question to the facts, by question.",
      labelNames: ["question"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    answersProjected: new Counter({
      name: "sightline_answers_projected_total",
      help: "Recorded answers that were turned into facts.",
      registers,
    }),
    projectionLag: new Gauge({
      name: "sightline_projection_lag_answers",
      help: "Recorded answers that are not yet in the facts, over all accounts.",
      registers,
    }),
    factsRebuilds: new Counter({
      name: "sightline_facts_rebuilds_total",
      help: "Times that an account's facts were built anew, by reason.",
      labelNames: ["reason"],
      registers,
    }),
  };
}
