import type { Registry } from "prom-client";
import type { ProjectionScheduler } from "../facts/projection/scheduler.ts";
import type { Lifecycle } from "../http/http-services.ts";
import { jsonReply, type OpenOperation, type Operation } from "../http/operation.ts";
import type { Clock } from "../platform/clock.ts";
import type { Metrics } from "../platform/metrics.ts";
import { ServiceError } from "../platform/service-error.ts";

/** What tells whether and how the service runs. */
export interface OperationalServices {
  readonly projection: Pick<ProjectionScheduler, "notReady" | "failing" | "measure">;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** GET /healthz: the process is alive. Says nothing of its data. */
const healthzRoute: OpenOperation<OperationalServices> = {
  kind: "open",
  method: "GET",
  path: "/healthz",
  anyHost: true,
  reply: async () => jsonReply({ status: "alive" }),
};

/** The most failing accounts that a reply names: a full disk may fail all of 10,000. */
const degradedMax = 100;

/**
 * GET /readyz: 200 when every account's facts are caught up since the start or have failed, and the
 * service is not stopping. Accounts that fail now are named.
 */
const readyzRoute: OpenOperation<OperationalServices> = {
  kind: "open",
  method: "GET",
  path: "/readyz",
  anyHost: true,
  reply: async ({ projection, lifecycle }) => {
    if (lifecycle.stopping) {
      throw new ServiceError(
        "shutting_down",
        "The service is finishing its requests before it stops.",
      );
    }
    const late = projection.notReady();
    if (late.length === 0) {
      const degraded = projection.failing().slice(0, degradedMax);
      return jsonReply({ status: "ready", ...(degraded.length > 0 ? { degraded } : {}) });
    }
    const waiting = late.includes("*") ? "The record" : `The record of ${late.length} accounts`;
    throw new ServiceError("facts_not_ready", `${waiting} is still being processed into facts.`, {
      headers: { "Retry-After": "1" },
    });
  },
};

/** Anybody may ask, and writing the text takes as long as answering twenty other requests. */
const keptMs = 1_000;

interface Kept {
  readonly atMs: number;
  readonly text: Promise<string>;
}

const kept = new WeakMap<Registry, Kept>();

/** GET /metrics: measurements for Prometheus, at most a second old. */
const metricsRoute: OpenOperation<OperationalServices> = {
  kind: "open",
  method: "GET",
  path: "/metrics",
  reply: async ({ metrics: { registry }, projection, clock }) => {
    const atMs = clock.elapsed();
    const last = kept.get(registry);
    const isFresh = last !== undefined && atMs - last.atMs < keptMs;
    const text = isFresh ? last.text : projection.measure().then(() => registry.metrics());
    if (!isFresh) kept.set(registry, { atMs, text });
    return { contentType: registry.contentType, body: await text };
  },
};

/** What tells whether and how the service runs: for probes and Prometheus. */
export const operationalOperations: readonly Operation<OperationalServices>[] = [
  healthzRoute,
  readyzRoute,
  metricsRoute,
];
