import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** The service's own metrics, for Prometheus. docs/guide/operations.md explains each. */
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
  readonly buildInfo: Gauge<"version" | "node" | "duckdb" | "sqlite">;
  readonly answersRecorded: Gauge;
  readonly lastImport: Gauge;
  readonly failedExchanges: Counter;
  readonly refusedRequests: Counter<"code">;
  readonly hookDeliveries: Counter<"event" | "result">;
  readonly collectionRequests: Histogram<"vendor" | "result">;
  readonly collectionJobs: Counter<"provider" | "result">;
  readonly collectionParts: Counter<"provider" | "result">;
  readonly collectionSpent: Counter<"vendor">;
  readonly vendorUp: Gauge<"vendor">;
}

const requestBucketsSeconds = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** A new registry with the service's metrics and Node's own. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: "sightline_" });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "sightline_http_request_seconds",
      help: "Duration of requests, by route, method and status.",
      labelNames: ["route", "method", "status"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    queries: new Histogram({
      name: "sightline_facts_query_seconds",
      help: "Duration of queries, by query and plan.",
      labelNames: ["question", "plan"],
      buckets: requestBucketsSeconds,
      registers,
    }),
    replyCache: new Counter({
      name: "sightline_reply_cache_total",
      help: "Lookups in the reply cache, by result: hit, joined or miss.",
      labelNames: ["result"],
      registers,
    }),
    replyCacheBytes: new Gauge({
      name: "sightline_reply_cache_bytes",
      help: "Bytes of cached replies.",
      registers,
    }),
    answersProjected: new Counter({
      name: "sightline_answers_projected_total",
      help: "Recorded answers processed into facts.",
      registers,
    }),
    projectionLag: new Gauge({
      name: "sightline_projection_lag_answers",
      help: "Recorded answers not yet processed into facts, over all accounts.",
      registers,
    }),
    failingAccounts: new Gauge({
      name: "sightline_failing_accounts",
      help: "Accounts whose facts currently cannot be updated.",
      registers,
    }),
    factsRebuilds: new Counter({
      name: "sightline_facts_rebuilds_total",
      help: "Rebuilds of an account's facts, by reason.",
      labelNames: ["reason"],
      registers,
    }),
    buildInfo: new Gauge({
      name: "sightline_build_info",
      help: "Always 1; the labels give the versions of the service, Node and the engines.",
      labelNames: ["version", "node", "duckdb", "sqlite"],
      registers,
    }),
    ...recordMetrics(registers),
    ...refusalMetrics(registers),
    ...collectionMetrics(registers),
    hookDeliveries: new Counter({
      name: "sightline_hook_deliveries_total",
      help: "Attempts to deliver events of webhooks, by event and result.",
      labelNames: ["event", "result"],
      registers,
    }),
  };
}

/** Providers think and search for minutes. */
const vendorBucketsSeconds = [0.1, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320];

function collectionMetrics(registers: Registry[]) {
  return {
    collectionRequests: new Histogram({
      name: "sightline_collection_request_seconds",
      help: "Duration of requests to vendors, by vendor and result.",
      labelNames: ["vendor", "result"],
      buckets: vendorBucketsSeconds,
      registers,
    }),
    collectionJobs: new Counter({
      name: "sightline_collection_jobs_total",
      help: "Jobs of sweeps that ended or were put back, by provider and result.",
      labelNames: ["provider", "result"],
      registers,
    }),
    collectionParts: new Counter({
      name: "sightline_collection_parts_total",
      help: "Parts of sweeps whose answers were recorded, by provider and result.",
      labelNames: ["provider", "result"],
      registers,
    }),
    collectionSpent: new Counter({
      name: "sightline_collection_spent_dollars_total",
      help: "Settled cost of requests to vendors in US dollars, by vendor.",
      labelNames: ["vendor"],
      registers,
    }),
    vendorUp: new Gauge({
      name: "sightline_collection_vendor_up",
      help: "1 while this node asks a vendor, 0 while it waits or needs somebody to mend it.",
      labelNames: ["vendor"],
      registers,
    }),
  };
}

function recordMetrics(registers: Registry[]) {
  return {
    answersRecorded: new Gauge({
      name: "sightline_answers_recorded",
      help: "Sum of the last sequence numbers of the records of all accounts.",
      registers,
    }),
    lastImport: new Gauge({
      name: "sightline_last_import_timestamp_seconds",
      help: "Unix time of the newest recorded answer of any account; 0 when there is none.",
      registers,
    }),
  };
}

function refusalMetrics(registers: Registry[]) {
  return {
    failedExchanges: new Counter({
      name: "sightline_failed_exchanges_total",
      help: "Exchanges without a valid key.",
      registers,
    }),
    refusedRequests: new Counter({
      name: "sightline_refused_requests_total",
      help: "Error replies, by error code.",
      labelNames: ["code"],
      registers,
    }),
  };
}

/** Whether Redis counts calls, for a service that has the address of one. */
export function createRedisMetric(registry: Registry): Gauge {
  return new Gauge({
    name: "sightline_limits_redis_up",
    help: "1 while Redis counts calls for all nodes, 0 while it is away.",
    registers: [registry],
  });
}

/** How long an engine may take to count as reachable: Prometheus waits for it. */
const engineAnswersWithinMs = 1_000;

/** Whether each engine of a cluster answers this node, asked whenever metrics are read. */
export function createEngineMetric(
  registry: Registry,
  engines: Readonly<Record<string, () => Promise<unknown>>>,
): Gauge<"engine"> {
  return new Gauge({
    name: "sightline_engine_up",
    help: "1 when an engine of the cluster answers this node within a second, else 0.",
    labelNames: ["engine"],
    registers: [registry],
    async collect() {
      const asked = Object.entries(engines).map(async ([engine, ask]) => {
        this.set({ engine }, (await isAnswered(ask)) ? 1 : 0);
      });
      await Promise.all(asked);
    },
  });
}

async function isAnswered(ask: () => Promise<unknown>): Promise<boolean> {
  const end = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => end.resolve(false), engineAnswersWithinMs);
  const answer = ask().then(
    () => true,
    () => false,
  );
  const isUp = await Promise.race([answer, end.promise]);
  clearTimeout(timer);
  return isUp;
}
