import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/**
 * The service's own measurements, for Prometheus. Each is explained in docs/guide/operations.md.
 */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Histogram<"route" | "method" | "status">;
  readonly queries: Histogram<"question" | "plan">;
  readonly replyCache: Counter<"result">;
  readonly replyCacheBytes: Gauge;
  readonly answersProjected: Counter;
  readonly projectionLag: Gauge;
  readonly failingAccounts: Gauge;
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
      help: "Time from a request's head to its reply being sent, by route, method and status.",
      labelNames: ["route", "method", "status"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    queries: new Histogram({
      name: "sightline_facts_query_seconds",
      help: "Time of a question to the facts, by question and plan.",
      labelNames: ["question", "plan"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    replyCache: new Counter({
      name: "sightline_reply_cache_total",
      help: "Questions by what the reply cache had for them: hit, joined or miss.",
      labelNames: ["result"],
      registers,
    }),
    replyCacheBytes: new Gauge({
      name: "sightline_reply_cache_bytes",
      help: "Bytes of the replies that are kept.",
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
    failingAccounts: new Gauge({
      name: "sightline_failing_accounts",
      help: "Accounts whose facts cannot follow their record now.",
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
